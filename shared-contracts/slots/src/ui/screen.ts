/** px; screens below this width are small. */
export const SMALL_SCREEN_BELOW = 768;
