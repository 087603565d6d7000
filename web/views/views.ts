import type { ComponentType } from "preact";
import { CONSOLE_VIEWS } from "../../src/server/page/views.ts";
import { OrdersView, QueueView } from "./orders/order-screen.tsx";
import { OverviewView } from "./overview-view.tsx";
import { PolicyView } from "./policy-view.tsx";
import { ReportView } from "./report-view.tsx";
import { SettingsView } from "./settings-view.tsx";
import { t } from "../data/base/texts.ts";

const COMPONENTS: Readonly<Record<(typeof CONSOLE_VIEWS)[number]["view"], ComponentType>> = {
  queue: QueueView,
  orders: OrdersView,
  overview: OverviewView,
  report: ReportView,
  policy: PolicyView,
  settings: SettingsView,
};

/** All views, in the order of the navigation: `id` is the first part of the address, and the icon's name. */
export const VIEWS = CONSOLE_VIEWS.map(({ view: id }) => ({
  id,
  title: t(`views.${id}`),
  component: COMPONENTS[id],
}));
