// A separate process, because a loaded module isn't loaded again.
const startMs = performance.now();
const { createLocalEngine } = await import("../src/engine/engine.ts");
createLocalEngine();
process.stdout.write(String(performance.now() - startMs));
