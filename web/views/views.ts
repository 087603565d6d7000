import type { ComponentType } from "preact";
import type { IconName } from "../components/button.tsx";
import type { Role } from "../data/api-types.ts";
import { OrdersView, QueueView } from "./orders/order-screen.tsx";
import { OverviewView } from "./overview-view.tsx";
import { PolicyView } from "./policy-view.tsx";
import { ReportView } from "./report-view.tsx";
import { SettingsView } from "./settings-view.tsx";

/** A view of the console. */
export interface View {
  /** First part of its address: `/queue`. */
  readonly id: string;
  /** In the navigation and as the page's title. */
  readonly label: string;
  readonly icon: IconName;
  /** Who sees it in the navigation, at least. */
  readonly role: Role;
  readonly component: ComponentType;
}

/** All views, in the order of the navigation. */
export const VIEWS: readonly View[] = [
  { id: "queue", label: "Queue", icon: "queue", role: "viewer", component: QueueView },
  { id: "orders", label: "Orders", icon: "orders", role: "viewer", component: OrdersView },
  { id: "overview", label: "Overview", icon: "overview", role: "viewer", component: OverviewView },
  { id: "report", label: "Report", icon: "report", role: "viewer", component: ReportView },
  { id: "policy", label: "Policy", icon: "policy", role: "viewer", component: PolicyView },
  { id: "settings", label: "Settings", icon: "settings", role: "viewer", component: SettingsView },
];
