import type { TestContext } from "vitest";
import { createCampaign, createSqliteQuery, type Campaign } from "./crash-campaign.ts";
import { createCrashStage } from "./crash-stage.ts";
import type { FaultyApp } from "./faulty-app.ts";

/** An app on its own database, with everything needed to judge it. */
export interface Trial {
  readonly campaign: Campaign;
  readonly app: FaultyApp;
}

/** Set up a {@link Trial}, whose app is not started yet, until the end of the test. */
export async function begin(
  { onTestFinished }: TestContext,
  options: { readonly latencyMs?: number; readonly onRequest?: (name: string) => Promise<void> } = {},
): Promise<Trial> {
  const stage = await createCrashStage(options);
  onTestFinished(() => stage.close());
  const campaign = createCampaign(stage, createSqliteQuery(stage.databasePath));
  return { campaign, app: await stage.addApp(options) };
}
