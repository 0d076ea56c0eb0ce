/** The built-in pictures of the server: a banner, and the icon in all requested sizes. */
import { readFile } from 'node:fs/promises'

export const ICON_SIZES = [36, 48, 72, 96, 144, 192, 256, 384, 512] as const
export const BANNER = 'banner.png'
export const iconName = (size: number): string => `icon-${size}.png`

/** Built-in pictures: bytes of each file by its name. */
export type Pictures = ReadonlyMap<string, Uint8Array>

const folder = new URL('../../assets/', import.meta.url)

export const readPictures = async (): Promise<Pictures> => {
  const names = [BANNER, ...ICON_SIZES.map(iconName)]
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, new Uint8Array(await readFile(new URL(name, folder)))] as const),
    ),
  )
}
