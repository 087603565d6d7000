import { z } from "zod";
import { toFieldProblems, verificationRequestSchema } from "../../order/request.ts";

const { shape } = verificationRequestSchema;

/** The verification request with unknown keys refused at every level, as a strict service could do. */
const strictRequestSchema = z.strictObject({
  ...shape,
  items: z.array(shape.items.unwrap().element.strict()).exactOptional(),
  shippingAddress: shape.shippingAddress.strict(),
  billingAddress: shape.billingAddress.strict(),
  paymentInfo: shape.paymentInfo.unwrap().strict().exactOptional(),
});

/** A body that was read, or what is wrong with it, naming every field at fault. */
export type StrictRequest =
  | { readonly valid: true; readonly request: z.infer<typeof strictRequestSchema> }
  | { readonly valid: false; readonly detail: string };

/** Check a parsed body. */
export function checkRequest(body: unknown): StrictRequest {
  const parsed = strictRequestSchema.safeParse(body);
  if (parsed.success) return { valid: true, request: parsed.data };
  const problems = toFieldProblems(parsed.error).map(({ path, message }) =>
    path === "" ? message : `${path}: ${message}`,
  );
  return { valid: false, detail: problems.join("; ") };
}
