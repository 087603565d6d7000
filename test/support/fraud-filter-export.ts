/** A made-up export of the Fraud Filter: 1,905 rules that can be imported, and 40 that can't. */
export function makeFraudFilterExport(): string {
  const make = (count: number, toLine: (index: number) => string): readonly string[] =>
    Array.from({ length: count }, (_, index) => toLine(index));
  const lines = [
    ...make(1_400, (index) => `Mail ${index},Cancel,Email,is,bad${index}@example.com`),
    ...make(
      300,
      (index) => `IP ${index},Cancel,Browser IP,is,8.8.${index % 150}.${Math.floor(index / 150) + 1}`,
    ),
    // Names that name somebody, which a rule of ours may not have.
    ...make(150, (index) => `+1 212 555 ${1_000 + index},Warn,Phone,is,+1 212 555 ${1_000 + index}`),
    ...make(55, (index) => `bad${index}@example.com,Cancel,Address,contains,${index} Sample Street`),
    ...make(40, (index) => `Odd ${index},Cancel,User agent,contains,Bot ${index}`),
  ];
  return ["Name,Action,Field,Operator,Value", ...lines].join("\r\n");
}
