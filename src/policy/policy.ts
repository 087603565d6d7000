import { z } from "zod";
import { HoldfastError } from "../errors.ts";
import { toFieldProblems } from "../order/request.ts";
import { RISK_LEVELS } from "../verification/result.ts";

/** What Holdfast can do with an order, mildest first. */
export const ACTIONS = ["allow", "tag", "hold", "cancel"] as const;
/** What Holdfast does with an order. */
export type Action = (typeof ACTIONS)[number];
