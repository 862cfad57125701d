// The front door of the deployment room: `npm run deploy`, a program of its own beside the service.
export { type DeployWorld, runDeploy } from './run-deploy.ts';
