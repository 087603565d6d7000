import type { PlatformFactory } from "../app.ts";
import type { Config } from "../config.ts";
import type { OptionName, Values } from "./arguments.ts";
import type { Terminal } from "./output.ts";
import type { OrderFormat } from "./verify/order-format.ts";

export interface CommandContext {
  readonly terminal: Terminal;
  readonly version: string;
  /** Every platform of this build. */
  readonly platforms: readonly PlatformFactory[];
  /** Platforms whose orders `verify` reads; loaded when it does. */
  readonly orderFormats: () => Promise<readonly OrderFormat[]>;
  /** Runs the demo. The entry point that joins core and adapters provides it. */
  readonly demo: (options: DemoOptions) => Promise<void>;
  readonly now: () => number;
}

export type DemoOptions = Pick<Values, "serve" | "json">;

export interface Command {
  readonly options: readonly OptionName[];
  /** Resolves to false if something is wrong. */
  run(context: RunContext, values: Values, operand: string): Promise<boolean | void>;
  /** Name of its one operand; undefined if it takes none. */
  readonly operand: string | undefined;
}

export type RunContext = CommandContext & ServiceContext;

/** The context of commands that use an installation. */
export interface WorkContext {
  /** Of the environment. */
  readonly config: Config;
  readonly terminal: Terminal;
  readonly now: () => number;
}

/** The context of the commands for the catalog and the management interface. */
export interface ServiceContext extends WorkContext {
  readonly json: boolean;
}
