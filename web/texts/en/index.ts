import { TEXTS as api } from "./api.ts";
import { TEXTS as asking } from "./asking.ts";
import { TEXTS as buyer } from "./buyer.ts";
import { TEXTS as calibration } from "./calibration.ts";
import { TEXTS as checks } from "./checks.ts";
import { TEXTS as components } from "./components.ts";
import { TEXTS as conditions } from "./conditions.ts";
import { TEXTS as disputes } from "./disputes.ts";
import { TEXTS as effects } from "./effects.ts";
import { TEXTS as evidence } from "./evidence.ts";
import { TEXTS as events } from "./events.ts";
import { TEXTS as fields } from "./fields.ts";
import { TEXTS as format } from "./format.ts";
import { TEXTS as imports } from "./imports.ts";
import { TEXTS as languages } from "./languages.ts";
import { TEXTS as links } from "./links.ts";
import { TEXTS as model } from "./model.ts";
import { TEXTS as notes } from "./notes.ts";
import { TEXTS as notices } from "./notices.ts";
import { TEXTS as order } from "./order.ts";
import { TEXTS as orders } from "./orders.ts";
import { TEXTS as overview } from "./overview.ts";
import { TEXTS as paths } from "./paths.ts";
import { TEXTS as policy } from "./policy.ts";
import { TEXTS as problems } from "./problems.ts";
import { TEXTS as replay } from "./replay.ts";
import { TEXTS as report } from "./report.ts";
import { TEXTS as review } from "./review.ts";
import { TEXTS as settings } from "./settings.ts";
import { TEXTS as setup } from "./setup.ts";
import { TEXTS as shell } from "./shell.ts";
import { TEXTS as signals } from "./signals.ts";
import { TEXTS as steps } from "./steps.ts";
import { TEXTS as unread } from "./unread.ts";
import { TEXTS as value } from "./value.ts";
import { TEXTS as verdict } from "./verdict.ts";
import { TEXTS as views } from "./views.ts";
import { TEXTS as words } from "./words.ts";

/** The English texts, by room. They decide which texts there are. */
export const EN = {
  api,
  asking,
  buyer,
  calibration,
  checks,
  components,
  conditions,
  disputes,
  effects,
  evidence,
  events,
  fields,
  format,
  imports,
  languages,
  links,
  model,
  notes,
  notices,
  order,
  orders,
  overview,
  paths,
  policy,
  problems,
  replay,
  report,
  review,
  settings,
  setup,
  shell,
  signals,
  steps,
  unread,
  value,
  verdict,
  views,
  words,
};
