/** Every operation of federation. */
import type { OperationDoor } from '@murmuration/kernel'
import { instance as actorInstance } from './actor/instance.js'
import { instanceOutbox as actorInstanceOutbox } from './actor/instance-outbox.js'
import { show as actorShow } from './actor/show.js'
import { createArchive } from './archive/create.js'
import { listArchives } from './archive/list.js'
import { openArchive } from './archive/open.js'
import { featured as collectionFeatured } from './collection/featured.js'
import { followers as collectionFollowers } from './collection/followers.js'
import { followersSynchronisation } from './collection/followers-synchronisation.js'
import { following as collectionFollowing } from './collection/following.js'
import { outbox as collectionOutbox } from './collection/outbox.js'
import { tags as collectionTags } from './collection/tags.js'
import { explain as deliveryExplain } from './delivery/explain.js'
import { ofStatus as deliveryOfStatus } from './delivery/of-status.js'
import { emoji as emojiShow } from './emoji/show.js'
import { authorization as featuredAuthorization } from './featured-collection/authorization.js'
import { list as featuredCollectionList } from './featured-collection/list.js'
import { show as featuredCollectionShow } from './featured-collection/show.js'
import { actor as fetchActor } from './fetch/actor.js'
import { collection as fetchCollection } from './fetch/collection.js'
import { featureAuthorization as fetchFeatureAuthorization } from './fetch/feature-authorization.js'
import { featuredCollection as fetchFeaturedCollection } from './fetch/featured-collection.js'
import { featuredCollections as fetchFeaturedCollections } from './fetch/featured-collections.js'
import { featuredItem as fetchFeaturedItem } from './fetch/featured-item.js'
import { featuredTags as fetchFeaturedTags } from './fetch/featured-tags.js'
import { followers as fetchFollowers } from './fetch/followers.js'
import { key as fetchKey } from './fetch/key.js'
import { linkBack as fetchLinkBack } from './fetch/link-back.js'
import { object as fetchObject } from './fetch/object.js'
import { replies as fetchReplies } from './fetch/replies.js'
import { stamp as fetchStamp } from './fetch/stamp.js'
import { receive as inboxReceive } from './inbox/receive.js'
import { refusals as inboxRefusals } from './inbox/refusals.js'
import { list as nodeinfoList } from './nodeinfo/list.js'
import { show as nodeinfoShow } from './nodeinfo/show.js'
import { activity as noteActivity } from './note/activity.js'
import { context as noteContext, contextItems as noteContextItems } from './note/context.js'
import { likes as noteLikes } from './note/likes.js'
import { replies as noteReplies } from './note/replies.js'
import { shares as noteShares } from './note/shares.js'
import { show as noteShow } from './note/show.js'
import { stamp as quoteStamp } from './quote/stamp.js'
import { add as addRelay } from './relay/add.js'
import { disable as disableRelay } from './relay/disable.js'
import { enable as enableRelay } from './relay/enable.js'
import { list as listRelays } from './relay/list.js'
import { remove as removeRelay } from './relay/remove.js'
import { restore as restoreRelay } from './relay/restore.js'
import { hostMeta as webfingerHostMeta } from './webfinger/host-meta.js'
import { show as webfingerShow } from './webfinger/show.js'

export const operations: readonly OperationDoor[] = [
  createArchive,
  listArchives,
  openArchive,
  actorInstanceOutbox,
  actorInstance,
  emojiShow,
  actorShow,
  collectionFeatured,
  collectionFollowers,
  followersSynchronisation,
  collectionFollowing,
  collectionOutbox,
  collectionTags,
  deliveryExplain,
  deliveryOfStatus,
  featuredAuthorization,
  featuredCollectionList,
  featuredCollectionShow,
  fetchActor,
  fetchCollection,
  fetchFeatureAuthorization,
  fetchFeaturedCollection,
  fetchFeaturedCollections,
  fetchFeaturedItem,
  fetchFeaturedTags,
  fetchFollowers,
  fetchKey,
  fetchLinkBack,
  fetchObject,
  fetchReplies,
  fetchStamp,
  inboxReceive,
  inboxRefusals,
  nodeinfoList,
  nodeinfoShow,
  noteActivity,
  noteContext,
  noteContextItems,
  noteLikes,
  noteReplies,
  noteShares,
  noteShow,
  quoteStamp,
  addRelay,
  disableRelay,
  enableRelay,
  listRelays,
  removeRelay,
  restoreRelay,
  webfingerHostMeta,
  webfingerShow,
]
