/** Shows the progress of a long run, on standard error and only in a terminal. */
export interface Progress {
  show(share: number, text: string): void;
  clear(): void;
}

const WIDTH = 24;

/** Create the {@link Progress} of a stream; silent unless it is a terminal. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return { show() {}, clear() {} };
  const clear = (): void => void stream.write("\r\u001B[K");
  return {
    clear,
    show(share, text) {
      clear();
      const filled = Math.round(Math.min(Math.max(share, 0), 1) * WIDTH);
      const line = `[${"#".repeat(filled).padEnd(WIDTH, ".")}] ${text}`;
      stream.write(line.slice(0, stream.columns > 0 ? stream.columns : undefined));
    },
  };
}
