// The front door of the config room: environment, flags and files → one frozen Config; every bound.
export type { ChainConfig, CommonConfig, Config, ConfiguredDeployment, MakerConfig } from './config-type.ts';
export type { LogLevel } from './environment.ts';
export { LIMITS } from './limits.ts';
export { type ConfigSources, type LoadedConfig, loadConfig } from './load-config.ts';
export { residentLimitBytes } from './memory.ts';
export { createRedactor } from './redact.ts';
export { type DocumentSchema, type ParsedDocument, parseDocument } from './schema-document.ts';
