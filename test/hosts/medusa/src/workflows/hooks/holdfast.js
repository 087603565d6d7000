const {
  completeCartWorkflow,
  createOrderFulfillmentWorkflow,
  createOrderShipmentWorkflow,
} = require("@medusajs/medusa/core-flows");
const { holdfast } = require("../../holdfast");

completeCartWorkflow.hooks.validate((input, { container }) => holdfast.validateCart(input, container));
completeCartWorkflow.hooks.orderCreated((input, { container }) => holdfast.orderCreated(input, container));
createOrderFulfillmentWorkflow.hooks.fulfillmentCreated((input, { container }) =>
  holdfast.assertNotHeld(input, container),
);
createOrderShipmentWorkflow.hooks.shipmentCreated((input, { container }) =>
  holdfast.assertNotHeldShipment(input, container),
);
