const { ORDER_EVENTS } = require("holdfast/medusa");
const { holdfast } = require("../holdfast");

module.exports = {
  default: ({ event, container }) => holdfast.follow(event, container),
  // Stands for a process that ends before it receives an order.
  config: { event: process.env.STALL === "report" ? ["nothing"] : [...ORDER_EVENTS] },
};
