import type { PlatformFactory } from "../app.ts";
import type { Config } from "../config.ts";
import type { Arguments, OptionName } from "./arguments.ts";
import type { Terminal } from "./output.ts";
import type { OrderFormat } from "./verify/order-format.ts";

/** The context of every command. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly version: string;
  /** Every platform of this build. */
  readonly platforms: readonly PlatformFactory[];
  /** Platforms whose orders `verify` reads; loaded when it does. */
  readonly orderFormats: () => Promise<readonly OrderFormat[]>;
  /** Runs the demo. The entry point that joins core and adapters provides it. */
  readonly demo: (keepRunning: boolean) => Promise<void>;
  readonly now: () => number;
}

/** One command of the command line. */
export interface Command {
  /** Name of its one operand, when it takes one. */
  readonly operand?: string;
  readonly options: readonly OptionName[];
  /** Resolves to false if something is wrong. */
  run(values: Arguments["values"], operand: string, context: CommandContext): Promise<boolean | void>;
}

/** The context of commands that use an installation. */
export interface WorkContext {
  readonly config: Config;
  readonly terminal: Terminal;
  readonly now: () => number;
}

/** The context of the commands for the catalog and the management interface. */
export interface ServiceContext extends WorkContext {
  readonly json: boolean;
}
