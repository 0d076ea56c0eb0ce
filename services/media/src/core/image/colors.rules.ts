/** Chooses the colours of a cover: background and foreground of a player, and an accent colour. */

export type Rgb = readonly [red: number, green: number, blue: number]
export interface Colors {
  readonly background: string
  readonly foreground: string
  readonly accent: string
}

const hex = (color: Rgb): string => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`

/** Relative luminance as WCAG defines it: 0 for black to 1 for white. */
const luminance = (color: Rgb): number => {
  const [red, green, blue] = color.map((part) =>
    part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (a: Rgb, b: Rgb): number => {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}
const vividness = (color: Rgb): number => Math.max(...color) - Math.min(...color)

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]
const READABLE = 3

/** Colours of a picture, from the pixels of a small copy. Null without pixels. */
export const colorsOf = (pixels: readonly Rgb[]): Colors | null => {
  if (pixels.length === 0) return null
  // Similar pixels are counted together: only the three highest bits of each component count.
  const groups = Map.groupBy(pixels, ([red, green, blue]) => ((red >> 5) << 6) | ((green >> 5) << 3) | (blue >> 5))
  const common = [...groups.values()].sort((a, b) => b.length - a.length).map((group) => group[0] as Rgb)
  const background = common[0] as Rgb
  const readable = common.filter((color) => contrast(color, background) >= READABLE)
  const plain = contrast(WHITE, background) >= contrast(BLACK, background) ? WHITE : BLACK
  const accent = readable.toSorted((a, b) => vividness(b) - vividness(a))[0] ?? plain
  const foreground = readable.toSorted((a, b) => contrast(b, background) - contrast(a, background))[0] ?? plain
  return { background: hex(background), foreground: hex(foreground), accent: hex(accent) }
}
