/** Frame of all settings pages: authentication, navigation, flash messages and CSRF-protected forms. */
import type { SessionUser } from '@murmuration/contracts/accounts'
import { fail, type RouteClass } from '@murmuration/contracts/kit'
import type { Config } from '../../config.js'
import type { Edge } from '../../edge/serve.js'
import type { PostedFiles } from './csrf.js'
import { type Html, html } from './html.js'
import { t } from './language.js'
import { type PageContent, sendPage } from './layout.js'
import { type PageRequest, type Pages, wantsJson } from './page-request.js'
import { redirect } from './redirect.js'
import { carryOutOnce } from './repeated-form.js'
import type { Sessions } from './session.js'
import { type SectionId, sectionsOf } from './settings-sections.js'
import { readUpload, type UploadLimits } from './upload.js'

type Shown = Pick<PageContent, 'title' | 'body' | 'head' | 'status' | 'scripts'> & {
  /** Error message above the page. The HTTP status is then 422, unless `status` is set. */
  problem?: string
}

/** A request of a signed-in user for a settings page. */
export interface SettingsContext extends PageRequest {
  readonly user: SessionUser
  /** Value of the session cookie, for operations that act for the signed-in user. */
  readonly session: string
  /** The hidden CSRF field that every form needs. */
  readonly csrfField: Html
  /** Sends the page. `body` consists of sections, usually from `panel()`. */
  show(page: Shown): void
  /** Redirects (303) to `address`, which shows `text` as a flash message. */
  done(address: string, text: string): void
  /** Sets the cookie of a pending sign-in step, such as linking an identity provider. */
  pause(step: string): void
}

export type SettingsPage = (context: SettingsContext, form: Readonly<Record<string, unknown>>) => Promise<void> | void
type RefusedPage = (context: SettingsContext, form: PostedFiles['form'], problem: string) => Promise<void> | void
export type UploadPage = (context: SettingsContext, posted: PostedFiles) => Promise<void> | void

export interface Settings {
  /**
   * Adds a page for signed-in users. Visitors who are not signed in are redirected to sign-in and back. `form` is empty
   * for `get`.
   */
  add(method: 'get' | 'post' | 'delete', path: string, section: SectionId, page: SettingsPage, of?: RouteClass): void
  /** Adds a POST route for a multipart form. `refuse` shows the form again, for example if a file is too large. */
  addUpload(path: string, section: SectionId, take: UploadLimits & { refuse: RefusedPage }, page: UploadPage): void
}

/** A section of a settings page with a heading. */
export const panel = (heading: string, body: Html): Html =>
  html`<section class="card"><h2>${heading}</h2>${body}</section>`

/** Text of a form field, at most `max` characters; empty if the form has no such field. */
export const fieldOf = (form: Readonly<Record<string, unknown>>, name: string, max = 2_000): string => {
  const value = form[name]
  return typeof value === 'string' ? value.slice(0, max) : ''
}

const list = (config: Config, current: SectionId): Html =>
  html`<nav class="sections" aria-label="${t('Settings')}"><ul>${sectionsOf(config).map(
    ({ id, path, label }) =>
      html`<li><a href="${path}"${id === current ? html` aria-current="page"` : ''}>${t(label)}</a></li>`,
  )}</ul></nav>`

/** Alert on every page for users who are required to add a second factor. */
const demand = ({ needsFactor }: SessionUser, section: SectionId): Html | '' =>
  needsFactor
    ? html`<p class="flash wrong" role="alert">${t('Your account requires two-factor authentication.')} ${
        section === 'second-factor'
          ? html`${t('Add a second factor below. Until then, apps cannot access your account.')}`
          : html`<a href="/settings/second_factor">${t('Add a second factor')}</a>`
      }</p>`
    : ''

export const createSettings = (
  pages: Pages,
  sessions: Sessions,
  { idempotency }: Pick<Edge, 'idempotency'>,
): Settings => {
  const contextOf = (request: PageRequest, user: SessionUser, session: string, section: SectionId): SettingsContext => {
    const { ctx, req, res } = request
    const csrfField = sessions.csrfField(req, res)
    return {
      ...request,
      user,
      session,
      csrfField,
      show({ problem, title, body, ...page }) {
        const flash = sessions.takeFlash(req, res)
        sendPage(ctx, res, {
          ...page,
          title,
          status: page.status ?? (problem ? 422 : 200),
          indexed: false,
          shape: 'settings',
          viewer: { username: user.username, csrfField },
          body: html`${list(ctx.config, section)}<div class="pages"><h1>${title}</h1>${demand(user, section)}${
            flash ? html`<p class="flash" role="status">${flash}</p>` : ''
          }${problem ? html`<p class="flash wrong" role="alert">${problem}</p>` : ''}${body}</div>`,
        })
      },
      pause: (step) => sessions.pause(res, step),
      done(address, text) {
        sessions.flash(res, text)
        redirect(res, address, 303)
      },
    }
  }
  /** Returns the page context of the signed-in user. For anonymous visitors, sends a redirect to sign-in and returns null. */
  const arrive = async (request: PageRequest, back: string, section: SectionId): Promise<SettingsContext | null> => {
    const { req, res } = request
    const session = sessions.tokenOf(req)
    const user = session === null ? null : await sessions.user(req)
    if (session !== null && user !== null) return contextOf(request, user, session, section)
    if (wantsJson(req)) throw fail('unauthenticated', 'This method requires an authenticated user')
    redirect(res, `/auth/sign_in?next=${encodeURIComponent(back)}`, 303)
    return null
  }
  return {
    add: (method, path, section, page, of) =>
      pages.add(
        method,
        path,
        async (request) => {
          const form = method === 'get' ? {} : await sessions.form(request.req)
          const context = await arrive(request, method === 'get' ? request.req.originalUrl : path, section)
          if (context === null) return
          if (method === 'get') return page(context, form)
          await carryOutOnce(idempotency, request, { account: context.user.viewer.id, form }, () => page(context, form))
        },
        of,
      ),
    addUpload: (path, section, take, page) =>
      pages.add(
        'post',
        path,
        async (request) => {
          // Anonymous requests are redirected before the upload is read.
          const context = await arrive(request, path, section)
          if (context === null) return
          const { problem, ...posted } = await readUpload(request, sessions, take)
          if (problem !== null) return take.refuse(context, posted.form, problem)
          let isCarriedOut = false
          const account = context.user.viewer.id
          await carryOutOnce(idempotency, request, { account, ...posted }, () => {
            isCarriedOut = true
            return page(context, posted)
          })
          if (isCarriedOut) return
          const keys = Object.values(posted.files).map(({ key }) => key)
          await request.ctx.staging.delete(keys).catch(() => undefined)
        },
        'upload',
      ),
  }
}
