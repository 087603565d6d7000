// Lists the known vulnerabilities of the packages in the lock file, and fails when a high or critical one has a fix.
// If the registry doesn't answer audits, the output says so.
import { spawnSync } from "node:child_process";

const { stdout, error } = spawnSync("npm", ["audit", "--json"], { encoding: "utf8", timeout: 120_000 });
const report = readReport();
if (report?.vulnerabilities === undefined) {
  console.log(
    `NOT AUDITED: ${error?.code ?? `the registry answered ${report?.statusCode ?? "nothing readable"}`}`,
  );
} else {
  const found = Object.values(report.vulnerabilities);
  for (const { name, severity, range, fixAvailable } of found) {
    console.log(`${severity}: ${name} ${range}${fixAvailable === false ? " (no fix yet)" : ""}`);
  }
  console.log(`${found.length} vulnerable packages of ${report.metadata.dependencies.total}`);
  const urgent = found.filter(({ severity }) => severity === "high" || severity === "critical");
  // A fix in another major version isn't one: old versions of undici are here because shops use them.
  const isFixed = ({ fixAvailable }) => fixAvailable !== false && fixAvailable.isSemVerMajor !== true;
  if (urgent.some(isFixed)) process.exitCode = 1;
}

function readReport() {
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}
