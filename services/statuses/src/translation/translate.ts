/** Translates a status: content, warning, poll options and descriptions of attachments. */
import { languageCodeOf, type Translation } from '@murmuration/contracts/entities'
import { attachmentRecords } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import { pollsOf } from '../core/poll/store.js'
import type { StatusRow } from '../core/status/store.js'
import { cleanTranslation, htmlAsPlain, type LanguagePairs, plainAsHtml, protectEmoji } from './rules.js'
import { readPairs, readTranslation, translationName, writePairs, writeTranslation } from './store.js'
import type { Translated, Translator } from './translator.client.js'

/** Language pairs of the translator, cached for a week. */
export const pairsOf = async (ctx: Pick<Context, 'cache'>, translator: Translator): Promise<LanguagePairs> => {
  const known = await readPairs<LanguagePairs>(ctx.cache, translator.name)
  if (known) return known
  const pairs = await translator.languages()
  await writePairs(ctx.cache, translator.name, pairs)
  return pairs
}

/** Translates texts that are not empty. Translations are cached for a day. */
const translateAll = async (
  ctx: Pick<Context, 'cache'>,
  translator: Translator,
  texts: readonly string[],
  pair: { source: string; target: string },
): Promise<Translated> => {
  const nonBlank = texts.filter((text) => text.trim() !== '')
  if (nonBlank.length === 0) return { texts: [...texts], detected: null }
  const name = translationName(translator.name, pair.source, pair.target, nonBlank)
  const known = await readTranslation<Translated>(ctx.cache, name)
  const found = known ?? (await translator.translate(nonBlank, pair.source, pair.target))
  if (!known) await writeTranslation(ctx.cache, name, found)
  const translated = [...found.texts]
  return {
    texts: texts.map((text) => (text.trim() === '' ? '' : (translated.shift() ?? ''))),
    detected: found.detected,
  }
}

export const translationOf = async (
  ctx: Context,
  translator: Translator,
  row: StatusRow,
  pair: { source: string; target: string },
): Promise<Translation> => {
  const [polls, { records }] = await Promise.all([
    pollsOf(ctx.db, row.poll_id === null ? [] : [row.poll_id]),
    row.media_ids.length ? ctx.call(attachmentRecords, { ids: row.media_ids }) : { records: [] },
  ])
  const poll = polls.get(row.poll_id ?? '')
  const options = poll?.options ?? []
  const described = row.media_ids.flatMap((id) => {
    const text = records.find((one) => one.id === id)?.description
    return text ? [{ id, text }] : []
  })
  const codes = new Set(row.emojis.map((one) => one.shortcode))
  const plain = [row.spoiler_text, ...options, ...described.map((one) => one.text)]
  const { texts, detected } = await translateAll(
    ctx,
    translator,
    [protectEmoji(row.html, codes), ...plain.map((text) => plainAsHtml(text, codes))],
    pair,
  )
  const [content = '', ...others] = texts
  const [spoiler = '', ...rest] = others.map(htmlAsPlain)
  return {
    content: cleanTranslation(content),
    spoiler_text: spoiler,
    language: pair.target,
    detected_source_language: languageCodeOf(detected) ?? (pair.source === 'und' ? pair.target : pair.source),
    provider: translator.name,
    poll:
      poll === undefined ? null : { id: poll.id, options: options.map((title, i) => ({ title: rest[i] || title })) },
    media_attachments: described.map((one, i) => ({ id: one.id, description: rest[options.length + i] || one.text })),
  }
}
