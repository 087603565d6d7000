import { describe } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { describeClaims } from "./conformance-claims.ts";
import { describeClosing } from "./conformance-closing.ts";
import { describeCredits } from "./conformance-credits.ts";
import { describeDeliveries } from "./conformance-deliveries.ts";
import { describeBuyerChecks } from "./conformance-buyer-checks.ts";
import { describeBuyerEvidence } from "./conformance-buyer-evidence.ts";
import { describeCardCodes } from "./conformance-card-codes.ts";
import { describeKeptAddresses } from "./conformance-kept-addresses.ts";
import { describeDisputes } from "./conformance-disputes.ts";
import { describeErasure } from "./conformance-erasure.ts";
import { describeGovernor } from "./conformance-governor.ts";
import { describeIncidents } from "./conformance-incidents.ts";
import { describeInspection } from "./conformance-inspection.ts";
import { describeKeptOrders } from "./conformance-kept-orders.ts";
import { describeLedger } from "./conformance-ledger.ts";
import { describeOrders } from "./conformance-orders.ts";
import { describeOrderLists } from "./conformance-order-lists.ts";
import { describeOrderSearch } from "./conformance-order-search.ts";
import { describeLinkedOrders } from "./conformance-linked-orders.ts";
import { describeNotices } from "./conformance-notices.ts";
import { describePeople } from "./conformance-people.ts";
import { describeRaces } from "./conformance-races.ts";
import { describeReplay } from "./conformance-replay.ts";
import { describeRevisions } from "./conformance-revisions.ts";
import { describeRetention } from "./conformance-retention.ts";
import { describeSavedViews } from "./conformance-saved-views.ts";
import { describeSettings } from "./conformance-settings.ts";
import { describeAssignments } from "./conformance-assignments.ts";
import { describeReviewClaims } from "./conformance-review-claims.ts";
import { describeStatistics } from "./conformance-statistics.ts";
import { describeTenants } from "./conformance-tenants.ts";
import { describeUpkeep } from "./conformance-upkeep.ts";
import { describeReviews } from "./conformance-reviews.ts";
import { describeUsualRates } from "./conformance-usual-rate.ts";
import { describeVelocity } from "./conformance-velocity.ts";

/** Opens an empty store. The suite closes it. */
export type OpenStore = () => Promise<Store>;

/**
 * Everything a {@link Store} promises, on a real engine. Run it on every implementation.
 *
 * @param openNew Makes a new store, for what is said of a closed one. Default: as `open`
 */
export function describeStore(name: string, open: OpenStore, openNew = open): void {
  describe(name, () => {
    describeClosing(openNew);
    describeClaims(open);
    describeDeliveries(open);
    describeOrders(open);
    describeOrderLists(open);
    describeOrderSearch(open);
    describeLedger(open);
    describeCredits(open);
    describeGovernor(open);
    describeTenants(open);
    describeSavedViews(open);
    describeSettings(open);
    describeStatistics(open);
    describeBuyerChecks(open);
    describeBuyerEvidence(open);
    describeCardCodes(open);
    describeKeptAddresses(open);
    describeDisputes(open);
    describeKeptOrders(open);
    describeErasure(open);
    describeIncidents(open);
    describeInspection(open);
    describeLinkedOrders(open);
    describeNotices(open);
    describePeople(open);
    describeRaces(open);
    describeReplay(open);
    describeRevisions(open);
    describeRetention(open);
    describeReviewClaims(open);
    describeAssignments(open);
    describeUpkeep(open);
    describeReviews(open);
    describeUsualRates(open);
    describeVelocity(open);
  });
}
