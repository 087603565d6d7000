import { describe, expect, it } from "vitest";
import { isCollectionPoint } from "../../../src/engine/tables/collection-points.ts";
import { foldText } from "../../../src/engine/text/text-shape.ts";

describe("isCollectionPoint", () => {
  it.each([
    "Packstation 145",
    "Automat paczkowy ORLEN Paczka",
    "Allegro One Box AL123",
    "GLS Paketomat Maribor",
    "Cargus Ship & Go",
    "ACS Smartpoint",
    "Punto SEUR Pickup",
    "Punto de retiro Pickit",
    "Correo Argentino, Sucursal 12",
    "Chilexpress Providencia",
    "Agência dos Correios",
    "bpost Pakjesautomaat",
    "Aras Kargo Kadıköy Şubesi",
    "Pos Malaysia EziBox",
    "Indomaret Point Blok M",
    "Bưu cục Viettel Post",
    "Kaspi Postomat 1234",
    "FedEx OnSite Walgreens",
    "Collect+ Spar",
    "Royal Mail Local Collect",
    "CollectPoint NZ Post",
    "Відділення Укрпошти 5",
    "Европочта отделение 12",
    "顺丰智能柜",
    "中通快递超市",
    "順豐站",
    "蝦皮店到店",
    "全家便利商店 大安店",
    "OK超商",
    "ローソン 渋谷店",
    "はこぽす",
    "ตู้ล็อกเกอร์ 7-11",
  ])("recognizes %s", (street) => {
    expect(isCollectionPoint(foldText(street))).toBe(true);
  });

  it.each([
    "10 Station Road",
    "14 Collection Street",
    "Lockyer Street 9",
    "Postgasse 7",
    "Rue du Relais 4",
    "One Boxwood Drive",
    "Calle Punto 7",
    "7 Eleven Mile Road",
    "ул. Почтовая 5",
    "вул. Поштова 4",
    "中山路 12號",
  ])("treats %s as a home", (street) => {
    expect(isCollectionPoint(foldText(street))).toBe(false);
  });
});
