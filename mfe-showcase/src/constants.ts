/** s; life of the cookie which keeps the showcase hidden (B9-ALPHA-03, AMB-130). */
export const ALPHA_HIDDEN_SECONDS = 1800;
