/** Express 4 under its alias; what the tests use of it has the types of Express 5. */
declare module "express4" {
  export { default } from "express";
}
