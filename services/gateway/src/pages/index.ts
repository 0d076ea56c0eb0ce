/** Server-rendered HTML pages in one Express app. The pages work without JavaScript. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { requestIdOf } from '../edge/request-id.js'
import { guardResponse } from '../edge/response/headers.js'
import { addAdmin } from './admin/index.js'
import { loadAssets } from './core/assets.js'
import { type PageContext, pageNotFound, pagesOn, refusePage } from './core/page-request.js'
import { providersOf } from './core/providers.js'
import { createSessions } from './core/session.js'
import { createSettings } from './core/settings-frame.js'
import { addHome } from './home/index.js'
import { addJoining } from './joining/index.js'
import { addAbout } from './public/about.js'
import { addCollection } from './public/collection.js'
import { addEmbed } from './public/embed.js'
import { addLanding } from './public/landing.js'
import { addProfile } from './public/profile.js'
import { addProfileFeeds } from './public/profile-feed.js'
import { addStatus } from './public/status.js'
import { addTag } from './public/tag.js'
import { addTagged } from './public/tagged.js'
import { addAppeal } from './settings/appeal.js'
import { addApplications } from './settings/applications.js'
import { addCleanup } from './settings/cleanup.js'
import { addExports } from './settings/export.js'
import { addSettingsHome } from './settings/home.js'
import { addImports } from './settings/import.js'
import { addMigration } from './settings/migration.js'
import { addPreferences } from './settings/preference.js'
import { addProviders } from './settings/providers.js'
import { addSecondFactor } from './settings/second-factor.js'
import { addSecurityKeys } from './settings/security-key.js'
import { addSessions } from './settings/sessions.js'
import { addSeverances } from './settings/severance.js'
import { addStrikes } from './settings/strikes.js'
import { addAuthorize } from './sign-in/authorize.js'
import { addProviderSignIn } from './sign-in/provider-sign-in.js'
import { addSecondStep } from './sign-in/second-step.js'
import { addSignIn } from './sign-in/sign-in.js'
import { addWebClient } from './sign-in/web-client.js'
import { addFiles } from './site/files.js'
import { addReference } from './site/reference.js'
import { addShare } from './site/share.js'
import { addSiteFiles } from './site/site-files.js'

export interface PageServer {
  handle(req: IncomingMessage, res: ServerResponse): void
  /** Number of page requests in flight. */
  inFlight(): number
}

export const createPages = async (shared: PageContext): Promise<PageServer> => {
  const { ctx, observe } = shared
  const assets = await loadAssets(ctx.site.https)
  const sessions = createSessions(ctx)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.set('case sensitive routing', true)
  const pages = pagesOn(app, shared)
  const settings = createSettings(pages, sessions, shared.edge)
  addLanding(pages, sessions)
  addAbout(pages)
  addShare(pages)
  addSignIn(pages, sessions)
  addSecondStep(pages, sessions)
  addProviderSignIn(pages, sessions)
  addSettingsHome(settings)
  addPreferences(settings)
  addCleanup(settings)
  addSecondFactor(settings)
  if (providersOf(ctx.config).length > 0) addProviders(settings)
  addSecurityKeys(settings)
  addSessions(settings)
  addApplications(settings)
  addExports(settings)
  addImports(settings)
  addMigration(settings)
  addSeverances(settings)
  addStrikes(settings)
  addAppeal(pages, sessions)
  addJoining(pages, settings, sessions)
  addAuthorize(pages, sessions)
  addHome(pages, sessions, shared.edge)
  addAdmin(pages, sessions, shared.edge)
  addProfileFeeds(pages)
  addProfile(pages)
  addStatus(pages)
  addEmbed(pages)
  addTag(pages)
  addCollection(pages)
  addTagged(pages)
  addFiles(pages)
  addReference(pages)
  addSiteFiles(pages)
  addWebClient(pages, sessions)
  app.use((req, res) => {
    const startedAt = performance.now()
    const requestId = requestIdOf(req)
    refusePage(ctx, res, pageNotFound(), requestId)
    observe({ method: req.method, route: 'none', status: res.statusCode, startedAt, requestId })
  })
  // Handles malformed URLs and other errors of Express, whose own error page would show internals.
  app.use((error: unknown, req: express.Request, res: express.Response, _next: express.NextFunction) => {
    const broken = error instanceof URIError || (error as { status?: number }).status === 400
    refusePage(ctx, res, broken ? pageNotFound() : error, requestIdOf(req))
  })
  return {
    inFlight: pages.inFlight,
    handle(req, res) {
      const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
      const startedAt = performance.now()
      if (assets(path, req, res))
        observe({
          method: req.method ?? '',
          route: path,
          status: res.statusCode,
          startedAt,
          requestId: requestIdOf(req),
        })
      else {
        guardResponse(res, ctx.site.https)
        app(req as express.Request, res as express.Response)
      }
    },
  }
}
