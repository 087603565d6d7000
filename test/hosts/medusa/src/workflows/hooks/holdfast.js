const { completeCartWorkflow, createOrderFulfillmentWorkflow } = require("@medusajs/medusa/core-flows");
const { holdfast } = require("../../holdfast");

completeCartWorkflow.hooks.validate((input, { container }) => holdfast.validateCart(input, container));
completeCartWorkflow.hooks.orderCreated((input, { container }) => holdfast.orderCreated(input, container));
createOrderFulfillmentWorkflow.hooks.fulfillmentCreated((input, { container }) =>
  holdfast.assertNotHeld(input, container),
);
