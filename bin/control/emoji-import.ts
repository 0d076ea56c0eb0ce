/** Imports an archive as custom emoji: plans the shortcode of each file, and reports the outcome of each file. */
import { basename, extname } from 'node:path'
import { limits } from '@murmuration/contracts/limits'
import { checkEmoji, createEmoji, listAllEmojis } from '@murmuration/contracts/media'
import { mapLimited } from '@murmuration/flow'
import { z } from 'zod'
import { type ArchiveContent, type ArchiveFile, readArchive } from './archive.js'
import type { Operator } from './operator.js'
import { createProgress, type Result } from './result.js'

export const ARCHIVE_LIMITS = { entries: 20_000, fileBytes: limits.media.emojiBytes, totalBytes: 1_000_000_000 }
export const MANIFEST = 'manifest.json'
const PICTURES = ['.png', '.gif', '.webp', '.jpg', '.jpeg']
const AT_ONCE = 4

/** Manifest of an export of custom emoji: the properties of each emoji except its picture. */
export const Manifest = z.object({
  emojis: z.array(
    z.object({
      shortcode: z.string(),
      file: z.string(),
      category: z.string().nullable(),
      visible_in_picker: z.boolean(),
      disabled: z.boolean(),
    }),
  ),
})

export interface ImportFlags {
  prefix?: string | undefined
  suffix?: string | undefined
  category?: string | undefined
  overwrite?: true | undefined
  unlisted?: true | undefined
  dryRun?: true | undefined
}

interface Planned {
  file: ArchiveFile
  shortcode: string
  category: string | null
  unlisted: boolean
  disabled: boolean
}

type Outcome = 'added' | 'replaced' | 'would add' | 'would replace' | 'exists already' | 'refused' | 'skipped'
interface Imported {
  file: string
  shortcode: string | null
  outcome: Outcome
  reason: string | null
}

const manifestOf = ({ files }: ArchiveContent) => {
  const found = files.find(({ name }) => basename(name) === MANIFEST)
  if (!found) return []
  try {
    return Manifest.parse(JSON.parse(found.bytes.toString())).emojis
  } catch {
    throw new Error(`The ${MANIFEST} of the archive is damaged.`)
  }
}

/** Pictures of an archive to import, and the reasons why other files are skipped. Files of operating systems are ignored. */
export const planImport = (
  content: ArchiveContent,
  { prefix = '', suffix = '', category, unlisted }: ImportFlags,
): { planned: Planned[]; skipped: Imported[] } => {
  const noted = new Map(manifestOf(content).map((one) => [one.file, one]))
  const files = content.files.filter(
    ({ name }) => !basename(name).startsWith('.') && !name.startsWith('__MACOSX/') && basename(name) !== MANIFEST,
  )
  const isPicture = ({ name }: ArchiveFile): boolean => PICTURES.includes(extname(name).toLowerCase())
  const skipped = [
    ...content.skipped,
    ...files
      .filter((file) => !isPicture(file))
      .map(({ name }) => ({ name, reason: 'is not named as a PNG, GIF, WebP or JPEG' })),
  ].map(({ name, reason }): Imported => ({ file: name, shortcode: null, outcome: 'skipped', reason }))
  const planned = files.filter(isPicture).map((file): Planned => {
    const note = noted.get(file.name)
    const name = note?.shortcode ?? basename(file.name, extname(file.name))
    return {
      file,
      shortcode: `${prefix}${name}${suffix}`,
      category: category ?? note?.category ?? null,
      unlisted: unlisted ?? note?.visible_in_picker === false,
      disabled: note?.disabled ?? false,
    }
  })
  return { planned, skipped }
}

/** Adds one picture as a custom emoji. A dry run only validates the picture. */
const importOne = async (operator: Operator, one: Planned, taken: boolean, dryRun: boolean): Promise<Outcome> => {
  const { shortcode, category } = one
  const image = one.file.bytes.toString('base64')
  if (dryRun) {
    await operator.call(checkEmoji, { shortcode, image })
    return taken ? 'would replace' : 'would add'
  }
  // The emoji and its visibility are sent in one request. With two requests, an interrupted import could leave a hidden emoji visible.
  const hidden = { ...(one.unlisted && { visible_in_picker: false }), ...(one.disabled && { disabled: true }) }
  await operator.call(createEmoji, { shortcode, image, category, overwrite: taken, ...hidden })
  return taken ? 'replaced' : 'added'
}

/** Replaces control characters and characters that change the text direction. A terminal would interpret those in file names. */
const printable = (line: string): string => line.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\u{FFFD}')

const textOf = (results: readonly Imported[]): string => {
  const lines = results.map(({ file, shortcode, outcome, reason }) =>
    printable(`${shortcode === null ? file : `:${shortcode}:`}  ${outcome}${reason === null ? '' : `: ${reason}`}`),
  )
  const counts = Map.groupBy(results, ({ outcome }) => outcome)
  const sums = [...counts].map(([outcome, all]) => `${all.length} ${outcome}`).join(', ')
  return [...lines, sums || 'The archive has no pictures.'].join('\n')
}

/** Adds all pictures of an archive as custom emoji. The exit code is 1 if a picture was refused. */
export const importEmojis = async (operator: Operator, bytes: Buffer, flags: ImportFlags): Promise<Result> => {
  const { planned, skipped } = planImport(await readArchive(bytes, ARCHIVE_LIMITS), flags)
  const known = new Set((await operator.call(listAllEmojis, {})).map((one) => one.shortcode))
  const progress = createProgress()
  let count = 0
  const seen = new Set<string>()
  const results = await mapLimited(planned, AT_ONCE, async (one): Promise<Imported> => {
    const taken = known.has(one.shortcode)
    const isDouble = seen.has(one.shortcode)
    seen.add(one.shortcode)
    const result = { file: one.file.name, shortcode: one.shortcode, reason: null }
    if (isDouble) return { ...result, outcome: 'refused', reason: 'The archive has this shortcode twice.' }
    if (taken && !flags.overwrite) return { ...result, outcome: 'exists already' }
    try {
      return { ...result, outcome: await importOne(operator, one, taken, flags.dryRun ?? false) }
    } catch (error) {
      return { ...result, outcome: 'refused', reason: error instanceof Error ? error.message : String(error) }
    } finally {
      progress(`${++count} of ${planned.length} pictures so far`)
    }
  })
  const all = [...results, ...skipped]
  return { data: all, text: textOf(all), code: all.some(({ outcome }) => outcome === 'refused') ? 1 : 0 }
}
