/** Style sheets are imported for their effect: the build writes them into one file. */
declare module "*.css";
