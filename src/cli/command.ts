import type { PlatformFactory } from "../app.ts";
import type { Config } from "../config.ts";
import type { Arguments, OptionName } from "./arguments.ts";
import type { Terminal } from "./output.ts";
import type { OrderFormat } from "./verify/order-format.ts";

/** What commands are run with. */
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
  /** Resolves to false where something is wrong. */
  run(values: Arguments["values"], operand: string, context: CommandContext): Promise<boolean | void>;
}

/** What a command of an installation works with. */
export interface WorkContext {
  readonly config: Config;
  readonly terminal: Terminal;
  readonly now: () => number;
}

/** What the commands of the catalog and of the management interface are run with. */
export interface ServiceContext extends WorkContext {
  readonly json: boolean;
}
