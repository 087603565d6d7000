import { CENTERS } from "./generated/world.ts";

/** The middle of a country, in degrees. */
export interface Place {
  readonly east: number;
  readonly north: number;
}

const centers = new Map(
  CENTERS.split("|").map((entry) => {
    const [code = "", east, north] = entry.split(" ");
    return [code, { east: Number(east), north: Number(north) }] as const;
  }),
);

/** Where a country is; undefined for an unknown code. */
export function findPlace(country: string | undefined): Place | undefined {
  return country === undefined ? undefined : centers.get(country.toUpperCase());
}

const EARTH_KM = 6_371;

/** The distance between the middles of two countries, in kilometers, rounded to hundreds: no more is known. */
export function toDistanceKm(one: Place, other: Place): number {
  const toRadians = (degrees: number) => (degrees * Math.PI) / 180;
  const [north, otherNorth] = [toRadians(one.north), toRadians(other.north)];
  const east = toRadians(other.east - one.east);
  const half =
    Math.sin((otherNorth - north) / 2) ** 2 +
    Math.cos(north) * Math.cos(otherNorth) * Math.sin(east / 2) ** 2;
  return Math.round((2 * EARTH_KM * Math.asin(Math.sqrt(half))) / 100) * 100;
}
