/** A placeholder: its name, and what it is. */
type Placeholder = readonly [string, "text" | "number" | "tag"];

type Kind<Type extends string> = Type extends "number" | "plural" | "selectordinal" ? "number" : "text";

/**
 * The placeholders of an ICU message. `Outer` says what is around the current place, innermost first: `m` a message, `o` the
 * options of a plural or select. Quoted braces aren't understood; the parser refuses nothing here, a test does.
 */
type Find<
  Rest,
  Outer extends string,
  Found extends Placeholder = never,
> = Rest extends `${infer Before}{${infer After}`
  ? Before extends `${string}}${infer Left}`
    ? Outer extends `${string}${infer Around}`
      ? Find<`${Left}{${After}`, Around, Found>
      : never
    : Outer extends `o${string}`
      ? Find<After, `m${Outer}`, Found>
      : After extends `${infer Inside}}${infer Behind}`
        ? Inside extends `${infer Name}, ${infer Type}, ${string}{${string}`
          ? After extends `${string}, ${string}, ${infer Options}`
            ? Find<Options, `o${Outer}`, Found | readonly [Name, Kind<Type>]>
            : never
          : Inside extends `${infer Name}, ${infer Type}`
            ? Find<Behind, Outer, Found | readonly [Name, Kind<Type>]>
            : Find<Behind, Outer, Found | readonly [Inside, "text"]>
        : never
  : Found;

type FindTags<
  Rest,
  Found extends Placeholder = never,
> = Rest extends `${string}</${infer Name}>${infer Behind}`
  ? FindTags<Behind, Found | readonly [Name, "tag"]>
  : Found;

/** The placeholders of an ICU message. */
export type PlaceholdersIn<Source> = Find<Source, "m"> | FindTags<Source>;

/** What is filled into a message: a name to a value, of a type for each kind of placeholder. */
type Filled<Found extends Placeholder, Types extends Record<Placeholder[1], unknown>> = {
  readonly [One in Found as One[0]]: Types[One[1]];
};

/** The last parameter of a function that fills messages: left out if there are no placeholders. */
export type ValuesIn<Source, Types extends Record<"text" | "number" | "tag", unknown>> = [
  PlaceholdersIn<Source>,
] extends [never]
  ? []
  : [Filled<PlaceholdersIn<Source>, Types>];
