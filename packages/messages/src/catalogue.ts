/** Reads translations from `locales/<language>/<topic>.json`, which map an English message to its translation. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** English message → translation. An empty text stands for a missing translation. */
export type Translations = Readonly<Record<string, string>>

/** Translations of each language by topic. The topic is the file name without `.json`. */
export type Catalogue = ReadonlyMap<string, ReadonlyMap<string, Translations>>

export const LOCALES = fileURLToPath(new URL('../locales', import.meta.url))

const topicsIn = (folder: string): Map<string, Translations> =>
  new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .toSorted()
      .map((name) => [name.slice(0, -'.json'.length), JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
  )

/** Reads the catalogue. Each folder contains one language and is named by its code, such as `de` or `pt-BR`. */
export const readCatalogue = (folder = LOCALES): Catalogue =>
  new Map(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .toSorted()
      .map((language) => [language, topicsIn(join(folder, language))]),
  )
