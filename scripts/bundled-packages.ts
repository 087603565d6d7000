import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";

const ROOT = resolve(import.meta.dirname, "..");

/** An npm package whose code is in `dist`. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** Its SPDX identifier. */
  readonly license: string;
  /** The package's own license files, one after the other. */
  readonly licenseText: string;
  /** SHA-512 of its tarball, in hex, as in the lock file. */
  readonly sha512: string;
}

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), "utf8"));

/**
 * The packages that these modules are from, by name, with their dependencies: tldts, for one, is published with the code
 * of tldts-core in it. Each is installed once, at the top of node_modules.
 */
export function findBundledPackages(moduleIds: Iterable<string>): BundledPackage[] {
  const lock = readJson("package-lock.json") as Lock;
  const names = new Set<string>();
  const add = (name: string): void => {
    if (names.has(name)) return;
    names.add(name);
    for (const needed of Object.keys(lock.packages[`node_modules/${name}`]?.dependencies ?? {})) add(needed);
  };
  for (const id of moduleIds) {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/[^\0]*$/.exec(id) ?? [];
    if (name !== undefined) add(name);
  }
  return [...names].toSorted().map((name) => readPackage(name, lock));
}

function readPackage(name: string, { packages }: Lock): BundledPackage {
  const folder = `node_modules/${name}`;
  const { version, license } = readJson(`${folder}/package.json`) as { version: string; license?: string };
  const locked = packages[folder];
  const [algorithm, digest] = locked?.integrity?.split("-") ?? [];
  if (locked?.version !== version || algorithm !== "sha512" || digest === undefined) {
    throw new Error(`${name} ${version} is not what package-lock.json names`);
  }
  const licenseText = readdirSync(join(ROOT, folder))
    .filter((file) => /^licen[cs]e/i.test(file))
    .toSorted()
    .map((file) => readFileSync(join(ROOT, folder, file), "utf8").trim())
    .join("\n\n");
  if (license === undefined || licenseText === "") throw new Error(`${name} has no license or no text of it`);
  return { name, version, license, licenseText, sha512: Buffer.from(digest, "base64").toString("hex") };
}

/** A CycloneDX 1.6 bill of materials in JSON. The same packages give the same text: no time, no serial number. */
export function toBillOfMaterials(version: string, packages: readonly BundledPackage[]): string {
  const { Bom, Component, ComponentRepository, HashDictionary, LicenseRepository, Metadata, SpdxLicense } =
    Models;
  const purl = (name: string, of: string): string => `pkg:npm/${name.replace("@", "%40")}@${of}`;
  const holdfast = new Component(Enums.ComponentType.Library, "holdfast", {
    bomRef: "holdfast",
    version,
    purl: purl("holdfast", version),
    licenses: new LicenseRepository([new SpdxLicense("MIT")]),
  });
  const components = packages.map(
    (each) =>
      new Component(Enums.ComponentType.Library, each.name, {
        bomRef: purl(each.name, each.version),
        version: each.version,
        purl: purl(each.name, each.version),
        scope: Enums.ComponentScope.Required,
        hashes: new HashDictionary([[Enums.HashAlgorithm["SHA-512"], each.sha512]]),
        licenses: new LicenseRepository([new SpdxLicense(each.license)]),
      }),
  );
  for (const { bomRef } of components) holdfast.dependencies.add(bomRef);
  const bom = new Bom({
    metadata: new Metadata({ component: holdfast }),
    components: new ComponentRepository(components),
  });
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/** The license texts of all packages, each under its name and version. */
export function toLicenseTexts(packages: readonly BundledPackage[]): string {
  const rule = "=".repeat(80);
  return packages
    .map(
      ({ name, version, license, licenseText }) =>
        `${rule}\n${name} ${version} (${license})\n${rule}\n\n${licenseText}\n`,
    )
    .join("\n");
}

/** The packages that the notices don't name with the version that is bundled. */
export function findUnnoticed(notices: string, packages: readonly BundledPackage[]): BundledPackage[] {
  return packages.filter(({ name, version }) => !notices.includes(`\n- ${name} ${version}, `));
}
