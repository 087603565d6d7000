/** One instruction of a Dockerfile. */
export interface Instruction {
  /** Such as `COPY`. */
  readonly name: string;
  /** The rest, on one line. */
  readonly text: string;
}

/** A stage of a Dockerfile. */
export interface Stage {
  readonly image: string;
  /** Undefined for the last one. */
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** A `COPY`. */
export interface CopiedFiles {
  /** The stage that it copies from. Undefined: the build context. */
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

/** Parse a Dockerfile. Supports only what ours uses. */
export function parseDockerfile(text: string): readonly Stage[] {
  const stages: { image: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const line of text.replaceAll("\\\n", " ").split("\n")) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    const [, image = "", stage] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
    if (name === "FROM") stages.push({ image, name: stage, instructions: [] });
    else stages.at(-1)?.instructions.push({ name, text: rest.replaceAll(/\s+/g, " ") });
  }
  return stages;
}

/** The arguments of a stage's instructions of one kind. */
export function findAll({ instructions }: Stage, name: string): readonly string[] {
  return instructions.flatMap((instruction) => (instruction.name === name ? [instruction.text] : []));
}

/** Parse a `COPY`. */
export function parseCopy(text: string): CopiedFiles {
  const [, from, paths = ""] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? [];
  const words = paths.split(" ");
  return { from, sources: words.slice(0, -1), target: words.at(-1) ?? "" };
}
