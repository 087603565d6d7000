import { until } from "../support/until.ts";

/** An order as the console lists it. */
interface ListedOrder {
  readonly orderId: string;
  readonly state: string;
  readonly action: string | null;
  readonly riskLevel: string | null;
}

/** What a person does in Holdfast's console, through its API. */
export class Console {
  static readonly TOKEN = "console-token-of-the-test";

  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { authorization: `Bearer ${Console.TOKEN}`, "content-type": "application/json" };
    const answer = await fetch(`${this.#url}/api/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async list(query = ""): Promise<readonly ListedOrder[]> {
    return (await this.#call<{ orders: readonly ListedOrder[] }>("GET", `orders${query}`)).orders;
  }

  /** The one order of a level. */
  async find(level: string): Promise<ListedOrder> {
    const [order] = await this.list(`?level=${level}`);
    if (order === undefined) throw new Error(`no ${level} order is listed`);
    return order;
  }

  /** Wait until an order is followed through, or held for a person. */
  async settled(orderId: string): Promise<void> {
    await until(async () => {
      const order = await this.#call<ListedOrder>("GET", `orders/${orderId}`);
      return order.state === "settled" || order.state === "review";
    });
  }

  async act(orderId: string, act: "approve" | "decline"): Promise<void> {
    await this.#call("POST", `orders/${orderId}/${act}`, {});
  }

  async savePolicy(policy: object): Promise<void> {
    await this.#call("PUT", "policy", policy);
  }
}
