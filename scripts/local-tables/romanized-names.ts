/**
 * Common names as their bearers write them in Latin letters, for languages whose word lists use another script.
 * Without them an ordinary Chinese or Arabic address would look random.
 */
export const ROMANIZED_NAMES: Readonly<Record<string, string>> = {
  chinese:
    "wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he gao lin luo zheng liang xie song tang han feng deng cao peng zeng xiao tian dong yuan pan yu jiang cai jia ding wei xue ye yan qian bai cui zhong wang xiaoming xiaohong zhiqiang guoqiang jianguo jianhua meiling lihua xiuying fang na min jing lei yong jun jie ping gang hui qiang ying xin yi ning rui zixuan haoran yuxuan mengyao xinyi qiuyue zihan",
  cantonese:
    "chan wong lam cheung lau leung ho ng cheng kwok tsang yip tse chow fung yeung tam chiu siu mak kwan kwong tsui lo chung poon kong ngai wai ming kit yan kin hoi tung lok hei sze yee wing shan",
  japanese:
    "sato suzuki takahashi tanaka watanabe ito yamamoto nakamura kobayashi kato yoshida yamada sasaki yamaguchi matsumoto inoue kimura hayashi shimizu saito mori abe ikeda hashimoto ishikawa ogawa okada hasegawa fujita goto kondo murakami endo aoki sakamoto haruto sota yuto riku hinata sakura yui aoi rin hana takashi hiroshi kenji kazuki daiki shota tsubasa ryota yuki naoko keiko tomoko akiko mitsuko",
  korean:
    "kim lee park choi jung jeong kang cho yoon jang lim han oh seo shin kwon hwang ahn song ryu hong jeon yoo nam minjun seojun dohyun jiho hyunwoo junseo seoyeon minseo jiwoo haeun yeeun sujin eunji hyejin youngsoo sungmin jaehyun taeyang dongwook seunghyun",
  thai: "somchai somsak somboon prasert wichai sukanya siriporn nattapong thanakorn kittisak pornthip chaiyaporn anuwat wattana suwannee ratana pimchanok kanokwan jirayu supachai thongchai saengthong phongphan charoensuk srisai boonmee kaewkla",
  arabic:
    "mohammed muhammad ahmed mahmoud mustafa abdullah abdulrahman abdelrahman khalid hassan hussein ibrahim yousef youssef omar ali fatima aisha maryam khadija zainab noor layla salma alharbi alghamdi alqahtani alotaibi alzahrani aldosari alshehri almutairi alshammari mansour saleh nasser hamad faisal saad turki bandar sultan sheikh elsayed abdelaziz benali bouazza haddad khoury najjar sayegh",
  persian:
    "mohammadi hosseini ahmadi karimi rezaei moradi jafari rahimi ghasemi hashemi amiri sadeghi akbari kazemi mehdi hossein reza alireza zahra fatemeh maryam sepideh shirin bahram dariush kourosh behnam arash farhad",
  russian:
    "ivanov smirnov kuznetsov popov vasiliev petrov sokolov mikhailov novikov fedorov morozov volkov alekseev lebedev semenov egorov pavlov kozlov stepanov nikolaev orlov andreev makarov nikitin zakharov zaitsev solovyov borisov yakovlev grigoriev aleksandr dmitry maxim sergey andrey aleksey artem ilya kirill mikhail nikita matvey roman egor anastasia ekaterina tatyana natalya olga yulia svetlana lyudmila evgeny vladislav yaroslav shcherbakov tsvetkov",
  ukrainian:
    "melnyk shevchenko boyko kovalenko bondarenko tkachenko kovalchuk kravchenko oliynyk shevchuk koval polishchuk bondar tkachuk moroz marchenko lysenko rudenko savchenko petrenko oleksandr volodymyr serhiy mykola yuriy andriy oksana iryna halyna nataliia kateryna yevhen bohdan taras zakharchuk vdovychenko",
  bulgarian:
    "ivanov georgiev dimitrov petrov nikolov stoyanov hristov todorov iliev angelov vasilev kolev yordanov marinov stefanov popov georgi dimitar hristo stoyan krasimir desislava tsvetelina zhivko rumyana boyko veselin",
  greek:
    "papadopoulos papadopoulou georgiou dimitriou nikolaou vasileiou ioannidis konstantinou christodoulou antoniou papageorgiou makris giannis kostas dimitris nikos panagiotis christos vasilis thanasis spyros eleni katerina vasiliki sofia angeliki evangelia chrysoula tsipras kyriakos stavros theodoros",
  hebrew:
    "cohen levi mizrahi peretz biton dahan avraham friedman malka azoulay katz yosef david amar ohana hadad gabay ben shlomo moshe yitzhak yaakov shimon noa tamar shira yael maya avigail michal chaim tzvi yehuda ariel",
  hindi:
    "sharma verma gupta singh kumar patel shah mehta joshi mishra pandey tiwari yadav chauhan agarwal jain bansal kapoor malhotra khanna reddy rao nair menon iyer iyengar pillai mukherjee banerjee chatterjee ghosh das sen roy rajesh suresh ramesh mahesh rakesh sunil anil vijay sanjay ajay amit rahul rohit priya pooja neha deepika lakshmi saraswathi venkatesh krishnamurthy subramaniam jhunjhunwala bhattacharya",
  bengali:
    "rahman hossain islam ahmed khan chowdhury akter begum khatun uddin miah sarkar sikder talukder bhuiyan mollah nahar sultana ferdous shahriar tanvir rafiq kamrul nazmul shafiqul jahangir",
  urdu: "khan malik butt sheikh qureshi siddiqui chaudhry hashmi zaidi rizvi naqvi bukhari mirza baig abbasi awan bilal usman hamza zubair shahid imran waqas faisal ayesha sana hira mehwish rabia nadia",
  amharic:
    "abebe kebede tesfaye bekele haile girma alemayehu mekonnen tadesse getachew solomon dawit yohannes mulugeta tigist hiwot bethlehem selamawit meseret worku desta gebre wolde",
  swahili:
    "mwangi kamau otieno ochieng wanjiku njoroge kipchoge kiprono cheruiyot mutua musyoka nyambura wambui achieng akinyi juma hamisi salim mwakasege mkapa nyerere ndugu mgeni mbwana ngugi",
  westAfrican:
    "okafor okonkwo adeyemi oluwaseun chukwuemeka nwankwo eze obi ibrahim musa abubakar bello suleiman ngozi chinedu ifeoma adaeze oluwadamilola babatunde olumide mensah owusu boateng asante kwame kofi akosua nkrumah diallo traore coulibaly keita ndiaye mbaye sow ba diop fall gueye",
};
