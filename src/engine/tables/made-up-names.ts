/**
 * Whole names, folded, that nobody has: characters and placeholders, by language. Somebody who types one hides their own. Names
 * that people do have (Harry Potter, James Bond, Peter Pan, Clark Kent, John Smith) are left out, and so are single words that
 * are surnames (Duck, Wayne, Stark).
 */
const NOBODY = `
  mickey mouse, micky maus, mickey maus, minnie mouse, donald duck, daffy duck, dagobert duck,
  scrooge mcduck, bugs bunny, bat man, super man, spider man, iron man, wonder woman, captain america,
  incredible hulk, darth vader, luke skywalker, obi wan kenobi, jabba hutt, homer simpson, bart simpson,
  marge simpson, lisa simpson, sponge bob, spongebob squarepants, sponge bob squarepants, fred flintstone,
  scooby doo, winnie pooh, winnie the pooh, kermit frog, kermit the frog, santa claus, father christmas,
  easter bunny, tooth fairy, jack sparrow, bilbo baggins, frodo baggins, gandalf grey, hannibal lecter,
  sherlock holmes, hercule poirot, john doe, jane doe, joe bloggs, joe public, john q public, no body,
  no one, no name, nobody nowhere, some body, any body, mr nobody, nobody nobody, anonymous anonymous,
  anon anon, foo bar, lorem ipsum, first last, first name, firstname lastname, your name,
  first name last name, vorname nachname, nom prenom, prenom nom, nombre apellido, nome cognome,
  nome sobrenome, nome apelido, voornaam achternaam, imie nazwisko, jmeno prijmeni, max mustermann,
  erika mustermann, mustermann max, maria musterfrau, hans wurst, hinz kunz, otto normalverbraucher,
  lieschen mueller, lieschen muller, monsieur tout le monde, pere noel, papa noel, papai noel,
  babbo natale, fulano de tal, fulano tal, fulano detal, zutano mengano, perico palotes, pinco pallino,
  tizio caio, ze ninguem, joao ninguem, jan modaal, piet puk, fake name, fake fake, fakename fakename,
  name name, not real, none none, nope nope, bla bla, blah blah, haha haha, lol lol, hello world,
  hello hello, user user, admin admin, customer customer, guest user, test user, buyer buyer, ich du,
  moi moi, yo mismo, дед мороз, иван дурак, микки маус, 名無しの権兵衛`;

const NAMES: ReadonlySet<string> = new Set(NOBODY.trim().split(/,\s+/));
/** One word that is a character's, and nobody's name. */
const ALONE: ReadonlySet<string> = new Set(
  "batman superman spiderman mickeymouse donaldduck nobody anonymous spongebob hanswurst mustermann gandalf voldemort pikachu shrek noname fakename johndoe janedoe foobar nosferatu santaclaus".split(
    " ",
  ),
);

/** Whether a folded name, as its words, is a character's or a placeholder. The words may come in either order. */
export function isMadeUpName(words: readonly string[]): boolean {
  if (words.length === 0) return false;
  if (words.every((word) => ALONE.has(word))) return true;
  return NAMES.has(words.join(" ")) || NAMES.has(words.toReversed().join(" "));
}
