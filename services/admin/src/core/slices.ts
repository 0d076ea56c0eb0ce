/** Cutting a list into what one request may hold. */

/** Parts of at most `size`, in order; none of an empty list. */
export const slices = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
