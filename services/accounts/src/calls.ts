/** Operations that accounts calls. Written by `npm run gen`: do not edit. */
import {
  fetchActor,
  fetchFeatureAuthorization,
  fetchFeaturedCollection,
  fetchFeaturedCollections,
  fetchFeaturedItem,
  fetchLinkBack,
} from '@murmuration/contracts/federation'
import type { AnyOperation } from '@murmuration/contracts/kit'
import {
  cleanUpReplaced,
  deletePictures,
  deleteRemoteEmoji,
  dropPictures,
  findEmojis,
  makePicture,
  proxyUrls,
  replacedPictures,
} from '@murmuration/contracts/media'

export const calls = [
  cleanUpReplaced,
  deletePictures,
  deleteRemoteEmoji,
  dropPictures,
  fetchActor,
  fetchFeatureAuthorization,
  fetchFeaturedCollection,
  fetchFeaturedCollections,
  fetchFeaturedItem,
  fetchLinkBack,
  findEmojis,
  makePicture,
  proxyUrls,
  replacedPictures,
] as const satisfies readonly AnyOperation[]
