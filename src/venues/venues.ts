// The front door of the venues room.
export { firstWords } from './abi-words.ts';
export type { EncodeFacet, HopToEncode, PathFacet, SignedLegFacet } from './encode.ts';
export type { FirmHop, FirmHopBy, FirmHops, FirmUpChain, FirmUpFacet, FirmUpFailure, HopToFirm, PollSource, SignedAnswer } from './firm-up.ts';
export { type HopInRoute, hopRuns } from './hop-runs.ts';
export { joinedWithin } from './joined-within.ts';
export { type LabelKinds, labelKindsOf } from './label-kinds.ts';
export type { Listing, ListingFacet, RegistryEntry } from './listing.ts';
export {
  type BuilderVenue,
  type BuilderVenues,
  type FirmUpVenues,
  type IndexerVenue,
  type IndexerVenues,
  loadBuilderVenues,
  loadFirmUpVenues,
  loadIndexerVenues,
  loadRequoteVenues,
  loadSolverVenues,
  loadStreamVenues,
  loadVenueFacets,
  type RequoteVenues,
  type SolverVenue,
  type SolverVenues,
  type StreamVenue,
  type StreamVenues,
} from './load.ts';
export type { AskOutside, Issuance, IssuedAsset, ListedSource, OutsideAnswer, OutsideSource } from './outside.ts';
export { hasEnded, type PriceEnd } from './price-end.ts';
export { momentOf, type QuoteMoment } from './quote-moment.ts';
export type { HopToRequote, RequoteFacet, SaidQuote } from './requote.ts';
export type { OpenStream, StreamChain, StreamedPool, StreamFacet, StreamListener, StreamOutcome } from './stream.ts';
export { isLabelOff, isSwitchedOff, NOTHING_OFF, type SwitchedOff } from './switched-off.ts';
export { toldUser } from './told-user.ts';
export type {
  AnnouncedBy,
  Applied,
  ChainAnswer,
  ChainCall,
  ChainIdentity,
  ChainLog,
  ConcernedPools,
  DiscoveredPool,
  PinnedReader,
  PoolAnnouncement,
  Rereading,
  SupposedStorage,
  TokenPair,
  TrackFacet,
  VenueDeployment,
} from './track.ts';
export {
  type JoinedHops,
  PoolRefused,
  type PoolSetStateFacet,
  type PoolTraits,
  type PriceFacet,
  type Quote,
  type QuoteRefusal,
  type StateFacet,
  type VenueFacet,
  type VenueFamily,
  type VenueLabelFacts,
} from './venue.ts';
