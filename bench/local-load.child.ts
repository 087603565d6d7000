// A process of its own: what is loaded once is not loaded again.
const startMs = performance.now();
const { createLocalEngine } = await import("../src/engine/engine.ts");
createLocalEngine();
process.stdout.write(String(performance.now() - startMs));
