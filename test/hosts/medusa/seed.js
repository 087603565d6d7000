// A shop that sells one mug for 12.50 and ships it for 5.00.
const { writeFileSync } = require("node:fs");
const flows = require("@medusajs/medusa/core-flows");

exports.default = async ({ container }) => {
  const run = async (flow, input) => (await flow(container).run({ input })).result;
  const link = container.resolve("link");
  const [channel] = await run(flows.createSalesChannelsWorkflow, { salesChannelsData: [{ name: "Web" }] });
  const [key] = await run(flows.createApiKeysWorkflow, {
    api_keys: [{ title: "Web", type: "publishable", created_by: "" }],
  });
  await run(flows.linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] });
  const [region] = await run(flows.createRegionsWorkflow, {
    regions: [
      { name: "US", currency_code: "usd", countries: ["us"], payment_providers: ["pp_system_default"] },
    ],
  });
  await run(flows.createTaxRegionsWorkflow, [{ country_code: "us", provider_id: "tp_system" }]);
  const [location] = await run(flows.createStockLocationsWorkflow, { locations: [{ name: "Warehouse" }] });
  const at = { stock_location: { stock_location_id: location.id } };
  await link.create({ ...at, fulfillment: { fulfillment_provider_id: "manual_manual" } });
  const [profile] = await run(flows.createShippingProfilesWorkflow, {
    data: [{ name: "Parcels", type: "default" }],
  });
  const set = await container.resolve("fulfillment").createFulfillmentSets({
    name: "Delivery",
    type: "shipping",
    service_zones: [{ name: "US", geo_zones: [{ type: "country", country_code: "us" }] }],
  });
  await link.create({ ...at, fulfillment: { fulfillment_set_id: set.id } });
  const [option] = await run(flows.createShippingOptionsWorkflow, [
    {
      name: "Standard",
      price_type: "flat",
      provider_id: "manual_manual",
      service_zone_id: set.service_zones[0].id,
      shipping_profile_id: profile.id,
      type: { label: "Standard", description: "Standard", code: "standard" },
      prices: [{ currency_code: "usd", amount: 5 }],
    },
  ]);
  await run(flows.linkSalesChannelsToStockLocationWorkflow, { id: location.id, add: [channel.id] });
  const [product] = await run(flows.createProductsWorkflow, {
    products: [
      {
        title: "Mug",
        status: "published",
        shipping_profile_id: profile.id,
        options: [{ title: "Size", values: ["One"] }],
        variants: [
          {
            title: "One",
            sku: "MUG",
            manage_inventory: false,
            options: { Size: "One" },
            prices: [{ currency_code: "usd", amount: 12.5 }],
          },
        ],
        sales_channels: [{ id: channel.id }],
      },
    ],
  });
  const seeded = { key: key.token, region: region.id, option: option.id, variant: product.variants[0].id };
  writeFileSync("seed.json", JSON.stringify(seeded));
};
