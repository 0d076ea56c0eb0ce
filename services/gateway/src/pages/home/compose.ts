/** Creates posts below `/home`: uploads the pictures, creates the status, and shows the form again if it was refused. */
import { createHash } from 'node:crypto'
import type { Preferences, Status } from '@murmuration/contracts/entities'
import { Failure } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { uploadAttachmentNow } from '@murmuration/contracts/media'
import { createStatus, showStatus } from '@murmuration/contracts/statuses'
import type { StagedFile } from '../../edge/input/multipart.js'
import { attempt } from '../core/attempt.js'
import type { PostedFiles } from '../core/csrf.js'
import { idIn, idOrNull } from '../core/id.js'
import { t } from '../core/language.js'
import { fieldOf } from '../core/settings-frame.js'
import { statusPath } from './article.js'
import { composeForm, type KeptPicture, membersOf } from './compose-form.js'
import type { Fields, Home, HomeRequest } from './frame.js'

/** Matches the id of a compose form, from which its idempotency key is computed. */
const KEY = /^[\w-]{8,64}$/

/** Initial fields of the form for a new post, from the preferences of the account. */
export const defaultsOf = (chosen: Preferences): Fields => ({
  visibility: chosen['posting:default:visibility'],
  language: chosen['posting:default:language'],
  sensitive: chosen['posting:default:sensitive'] ? '1' : '',
})

interface Picture {
  readonly file: StagedFile
  readonly description: string
}

/**
 * Returns a function that is true for files that this server received. The name and the members of a value do not prove
 * this, because a client can send a field with any name and members.
 */
const isFileOf = (files: PostedFiles['files']): ((value: unknown) => value is StagedFile) => {
  const uploaded = new Set<unknown>(Object.values(files))
  return (value): value is StagedFile => uploaded.has(value)
}

/** The pictures in a form. If no picture was chosen, browsers send an empty file. */
const picturesIn = ({ form, files }: PostedFiles): Picture[] => {
  const isFile = isFileOf(files)
  return membersOf(form.media).flatMap(({ file, ...rest }) =>
    isFile(file) && file.size > 0 ? [{ file, description: fieldOf(rest, 'description', 20_000) }] : [],
  )
}

const keptIn = (form: Fields): KeptPicture[] =>
  [form.kept ?? []].flat().flatMap((id) => (idOrNull(id) === null ? [] : [{ id: String(id), description: '' }]))

/** Uploads one picture. Returns the media attachment, or the error message if the picture is refused. */
const uploadOne = async (
  { callApi, ctx }: HomeRequest,
  { file, description }: Picture,
): Promise<KeptPicture | string> => {
  let id = ''
  const unstage = () => ctx.staging.delete([file.key]).catch(() => undefined)
  try {
    const problem = await attempt(async () => {
      id = (await callApi(uploadAttachmentNow, { file, description })).id
    })
    if (problem === null) return { id, description }
    await unstage()
    return problem
  } catch (error) {
    await unstage()
    throw error
  }
}

/**
 * The idempotency key for a form: a digest of its id and content. A form that is sent twice creates one post. If
 * the user returns to the form after posting and changes its content, the key is different. Undefined for an invalid
 * id.
 */
const keyOf = ({ form, files }: PostedFiles): string | undefined => {
  const isFile = isFileOf(files)
  const key = fieldOf(form, 'key', 64)
  if (!KEY.test(key)) return undefined
  const content = JSON.stringify({ ...form, authenticity_token: null }, (_, value: unknown) =>
    isFile(value) ? [value.name, value.type, value.size] : value,
  )
  return createHash('sha256').update(content).digest('hex')
}

const pollIn = (form: Fields): object | null => {
  const poll = membersOf({ poll: form.poll })[0] ?? {}
  const options = [poll.options ?? []].flat().filter((one) => typeof one === 'string' && one.trim() !== '')
  if (options.length === 0) return null
  return { options, expires_in: fieldOf(poll, 'expires_in', 20), multiple: fieldOf(poll, 'multiple') === '1' }
}

const inputOf = (form: Fields, media: readonly KeptPicture[]) => ({
  status: fieldOf(form, 'status', 100_000),
  spoiler_text: fieldOf(form, 'spoiler_text', 20_000),
  sensitive: fieldOf(form, 'sensitive') === '1',
  visibility: fieldOf(form, 'visibility', 100),
  language: fieldOf(form, 'language', 100),
  in_reply_to_id: idOrNull(form.in_reply_to_id),
  quoted_status_id: idOrNull(form.quoted_status_id),
  media_ids: media.map(({ id }) => id),
  poll: pollIn(form),
})

/** Whether a field has a value that is no valid id, such as a number that is too large. */
const isNoId = (value: unknown): boolean => value !== undefined && value !== '' && idOrNull(value) === null

const hasOtherPoll = ({ poll }: Fields): boolean => {
  if (poll === undefined || poll === '') return false
  const [given] = membersOf({ poll })
  return given === undefined || [given.options ?? []].flat().some((one) => typeof one !== 'string')
}

/**
 * The error message for field values that no form of this server sends; null if there are none. Such values are refused
 * instead of ignored.
 */
const problemIn = (form: Fields): string | null => {
  if (isNoId(form.in_reply_to_id) || isNoId(form.quoted_status_id))
    return t('The post that you reply to or quote is no longer available.')
  if ([form.kept ?? []].flat().some(isNoId)) return t('A picture is no longer available. Choose it again.')
  return hasOtherPoll(form) || fieldOf(form, 'visibility') === '' ? t('Choose one of the listed values.') : null
}

const isNotFound = (error: unknown): boolean => error instanceof Failure && error.code === 'not_found'

/** Returns the form without a parent or quoted post that the account can no longer see, so that the user can still publish the text. */
const withoutGone = async ({ callApi }: HomeRequest, form: Fields): Promise<Fields> => {
  const isGone = async (name: string): Promise<boolean> => {
    const id = idOrNull(form[name])
    if (id === null) return isNoId(form[name])
    return callApi(showStatus, { id }).then(() => false, isNotFound)
  }
  const names = ['in_reply_to_id', 'quoted_status_id']
  const gone = await Promise.all(names.map(isGone))
  return { ...form, ...Object.fromEntries(names.flatMap((name, n) => (gone[n] ? [[name, '']] : []))) }
}

/** The post that a form quotes; null if it quotes none. Throws if the account cannot see the quoted post. */
const quotedIn = async ({ callApi }: HomeRequest, form: Fields): Promise<Status | null> => {
  const id = idOrNull(form.quoted_status_id)
  return id === null ? null : callApi(showStatus, { id })
}

const showForm = async (request: HomeRequest, form: Fields, kept: readonly KeptPicture[], problem?: string) =>
  request.show({
    title: t('New post'),
    problem,
    body: composeForm(
      { form, kept, quotes: await quotedIn(request, form) },
      { csrfField: request.csrfField, domain: request.ctx.site.localDomain },
    ),
  })

const write = async (request: HomeRequest, { form, files }: PostedFiles): Promise<void> => {
  const pictures = picturesIn({ form, files })
  const chosen = new Set(pictures.map(({ file }) => file.key))
  const unused = Object.values(files).filter(({ key }) => !chosen.has(key))
  if (unused.length > 0) await request.ctx.staging.delete(unused.map(({ key }) => key)).catch(() => undefined)
  const results = await Promise.all(pictures.map((one) => uploadOne(request, one)))
  const problem = problemIn(form) ?? results.find((one) => typeof one === 'string')
  const media = [...keptIn(form), ...results.filter((one) => typeof one !== 'string')]
  let made: { id: string } | null = null
  const refused =
    problem ??
    (await attempt(async () => {
      made = await request.callApi(createStatus, inputOf(form, media), keyOf({ form, files }))
    }).catch((error) => {
      if (!isNotFound(error)) throw error
      return t('The post that you reply to or quote is no longer available.')
    }))
  if (refused !== null || made === null)
    return showForm(request, await withoutGone(request, form), media, refused ?? '')
  const { id } = made as { id: string }
  const parent = idOrNull(form.in_reply_to_id)
  request.done(`${parent === null ? '/home' : statusPath(parent)}#s-${id}`, t('Your post was published.'))
}

export const addCompose = (home: Home): void => {
  home.addUpload(
    '/home/statuses',
    {
      files: ['media[][file]'],
      bytes: limits.media.imageBytes,
      admit: ({ callApi }) => callApi.admit(createStatus),
    },
    write,
  )
  home.add('get', '/home/compose', async (request) => {
    const { quote, text } = request.req.query
    const form = {
      ...defaultsOf(await request.preferences()),
      status: typeof text === 'string' ? text : '',
      ...(quote === undefined ? {} : { quoted_status_id: idIn(quote) }),
    }
    await showForm(request, form, [])
  })
}
