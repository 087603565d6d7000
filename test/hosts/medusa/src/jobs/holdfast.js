const { holdfast } = require("../holdfast");

module.exports = {
  default: (container) => holdfast.start(container),
  config: { name: "holdfast", schedule: process.env.EVERY ?? "* * * * *" },
};
