const { defineConfig } = require("@medusajs/framework/utils");

const http = { storeCors: "*", adminCors: "*", authCors: "*", jwtSecret: "secret", cookieSecret: "secret" };

module.exports = defineConfig({
  projectConfig: { databaseUrl: process.env.DATABASE_URL, http },
  admin: { disable: true },
});
