/** Frame of the pages below `/home`: authentication, navigation, and CSRF-protected forms. */
import { type SessionUser, showPreferences } from '@murmuration/contracts/accounts'
import type { Preferences } from '@murmuration/contracts/entities'
import { fail, type RouteClass } from '@murmuration/contracts/kit'
import { unreadGroups } from '@murmuration/contracts/notifications'
import { msg } from '@murmuration/messages'
import type { Edge } from '../../edge/serve.js'
import { HOME_SCRIPT_PATH } from '../core/assets.js'
import { type CallApi, createCallApi } from '../core/call-api.js'
import type { PostedFiles } from '../core/csrf.js'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { sendPage } from '../core/layout.js'
import { obstacleOf } from '../core/own-account.js'
import { type PageRequest, type Pages, wantsJson } from '../core/page-request.js'
import { ownPath, redirect } from '../core/redirect.js'
import type { Sessions } from '../core/session.js'
import { isStaff } from '../core/staff-navigation.js'
import { tooLarge, type UploadLimits } from '../core/upload.js'
import { icons } from './icon.js'

/** Maximum number of unread notification groups that is counted and shown. */
const MAX_UNREAD = 99

export const LINKS = [
  { id: 'home', path: '/home', label: msg('Home') },
  { id: 'notifications', path: '/home/notifications', label: msg('Notifications') },
  { id: 'search', path: '/home/search', label: msg('Search') },
  { id: 'local', path: '/home/local', label: msg('This server') },
  { id: 'remote', path: '/home/remote', label: msg('Other servers') },
  { id: 'bookmarks', path: '/home/bookmarks', label: msg('Bookmarks') },
  { id: 'favourites', path: '/home/favourites', label: msg('Favourites') },
  { id: 'profile', path: '/home/profile', label: msg('Your profile') },
  { id: 'apps', path: '/home/apps', label: msg('Apps') },
  { id: 'settings', path: '/settings', label: msg('Settings') },
] as const
export type LinkId = (typeof LINKS)[number]['id']

interface Shown {
  readonly title: string
  /** Heading of the page; the title by default. */
  readonly heading?: Html
  readonly body: Html
  readonly current?: LinkId
  /** Error message of a refused form. The HTTP status is then 422. */
  readonly problem?: string | undefined
}

/** A page request of a signed-in account that is active. */
export interface HomeRequest extends PageRequest {
  readonly user: SessionUser
  readonly callApi: CallApi
  /** The hidden CSRF field that every form needs. */
  readonly csrfField: Html
  show(page: Shown): Promise<void>
  /** The posting and reading preferences of the account; loaded once per request. */
  preferences(): Promise<Preferences>
  /** Number of unread notification groups, up to 99; 0 if the count fails. */
  unread(): Promise<number>
  /** Redirects (303) to a path on this server, and shows `text` there once. */
  done(path: string, text?: string): void
}

export type Fields = Readonly<Record<string, unknown>>
export type HomePage = (request: HomeRequest, form: Fields) => Promise<void> | void

export interface Home {
  /** Adds a page; `form` is empty for `get`. */
  add(method: 'get' | 'post', path: string, page: HomePage, of?: RouteClass): void
  /**
   * Adds a POST route for a multipart form, whose files are checked by the handler. `admit` runs before the body is read. A
   * form that is too large to be read gets an error page that names `bytes`, the maximum number of bytes of a file.
   */
  addUpload(
    path: string,
    take: UploadLimits & { admit(request: HomeRequest): Promise<void> },
    page: (request: HomeRequest, posted: PostedFiles) => Promise<void>,
  ): void
}

/** Returns the path in the form field `back` if it is below `/home`, else `fallback`. */
export const backIn = (form: Fields, fallback = '/home'): string => {
  const path = ownPath(form.back)
  return /^\/home(?:[/?]|$)/.test(path) && !path.includes('#') ? path : fallback
}

const navigation = (current: LinkId | undefined, unread: number, isOfStaff: boolean): Html =>
  html`<nav class="sections" aria-label="${t('Pages')}"><ul>${LINKS.map(
    ({ id, path, label }) =>
      html`<li><a href="${path}"${id === current ? html` aria-current="page"` : ''}>${t(label)}${
        id === 'notifications'
          ? html` <span class="unread" data-unread${unread > 0 ? '' : html` hidden`}><span>${unread}</span><span class="visually-hidden"> ${t('unread')}</span></span>`
          : ''
      }</a></li>`,
  )}${isOfStaff ? html`<li><a href="/admin">${t('Administration')}</a></li>` : ''}</ul></nav>`

/** Sends a 403 page to a signed-in account that may not act, such as an unconfirmed one. */
const sendInactive = ({ ctx, req, res }: PageRequest, sessions: Sessions, user: SessionUser): void => {
  const why = obstacleOf(user.needsFactor ? 'factor' : user.state) ?? ''
  const way = user.needsFactor
    ? html`<a class="button" href="/settings/second_factor">${t('Add a second factor')}</a>`
    : user.state === 'unconfirmed'
      ? html`<a class="button" href="/auth/setup">${t('Resend the e-mail')}</a>`
      : html`<a class="button quiet" href="/settings">${t('Settings')}</a>`
  sendPage(ctx, res, {
    title: t('Home'),
    status: 403,
    indexed: false,
    viewer: { username: user.username, csrfField: sessions.csrfField(req, res) },
    body: html`<div class="card"><h1>${t('Home')}</h1><p role="alert">${t(why)}</p><p class="row">${way}</p></div>`,
  })
}

export const createHome = (pages: Pages, sessions: Sessions, edge: Edge): Home => {
  const homeRequest = (request: PageRequest, user: SessionUser): HomeRequest => {
    const { ctx, req, res, ip } = request
    const csrfField = sessions.csrfField(req, res)
    const callApi = createCallApi(edge, user, { ip, userAgent: req.headers['user-agent'] ?? null })
    const count = (): Promise<number> =>
      callApi(unreadGroups, { limit: MAX_UNREAD }).then(
        (unread) => unread.count,
        () => 0,
      )
    let preferences: Promise<Preferences> | null = null
    let unread = req.method === 'GET' ? count() : null
    return {
      ...request,
      user,
      callApi,
      csrfField,
      preferences: () => {
        preferences ??= callApi(showPreferences, {})
        return preferences
      },
      unread: () => {
        unread ??= count()
        return unread
      },
      async show({ title, heading, body, current, problem }) {
        unread ??= count()
        const flash = sessions.takeFlash(req, res)
        sendPage(ctx, res, {
          title,
          status: problem ? 422 : 200,
          indexed: false,
          shape: 'settings',
          viewer: { username: user.username, csrfField },
          scripts: [HOME_SCRIPT_PATH],
          body: html`${icons()}${navigation(current, await unread, isStaff(user.viewer.permissions))}<div class="pages"><h1>${heading ?? title}</h1>${
            flash ? html`<p class="flash" role="status">${flash}</p>` : ''
          }${problem ? html`<p class="flash wrong" role="alert">${problem}</p>` : ''}${body}</div>`,
        })
      },
      done(path, text) {
        if (text !== undefined) sessions.flash(res, text)
        redirect(res, path, 303)
      },
    }
  }
  /**
   * Returns the page context of a signed-in, active account. For any other visitor, sends a redirect to sign-in or the
   * 403 page, and returns null.
   */
  const enter = async (request: PageRequest, back: string): Promise<HomeRequest | null> => {
    const { req, res } = request
    const user = await sessions.user(req)
    if (user === null) {
      if (wantsJson(req)) throw fail('unauthenticated', 'This method requires an authenticated user')
      redirect(res, `/auth/sign_in?next=${encodeURIComponent(back)}`, 303)
      return null
    }
    if (user.state === 'ok' && !user.needsFactor) return homeRequest(request, user)
    sendInactive(request, sessions, user)
    return null
  }
  return {
    add: (method, path, page, of) =>
      pages.add(
        method,
        path,
        async (request) => {
          const form = method === 'get' ? {} : await sessions.form(request.req)
          const entered = await enter(request, method === 'get' ? request.req.originalUrl : '/home')
          if (entered) await page(entered, form)
        },
        of ?? (method === 'get' ? 'page' : 'write'),
      ),
    addUpload: (path, { admit, files, bytes }, page) =>
      pages.add(
        'post',
        path,
        async (request) => {
          const entered = await enter(request, '/home')
          if (!entered) return
          await admit(entered)
          await page(entered, await sessions.upload(request.req, files, () => tooLarge(bytes)))
        },
        'upload',
      ),
  }
}
