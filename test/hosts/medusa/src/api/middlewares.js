const { container } = require("@medusajs/framework");
const { defineMiddlewares } = require("@medusajs/framework/http");
const { holdfast } = require("../holdfast");

holdfast.start(container).catch(() => {});

module.exports = { default: defineMiddlewares({ routes: [] }) };
