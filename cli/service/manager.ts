/** What the service is called by its manager. */
export const SERVICE_NAME = 'signalbox';
/** The file in the folder of logs that takes what the hub says, where its manager keeps no journal. */
export const SERVICE_LOG = 'hub.log';

/** A service manager of the user's own session. */
export interface Manager {
  readonly name: 'systemd' | 'launchd';
  /** The service's file. */
  readonly file: string;
  /** What that file is to hold. */
  readonly text: string;
  /** What of a file says where the hub's folders are. */
  readonly folders: (text: string) => string;
  /** Links to the file that its manager makes. */
  readonly links: readonly string[];
  /** What a person types in our place, a line each. */
  readonly byHand: { readonly install: readonly string[]; readonly uninstall: readonly string[] };
  /** The file that takes what it prints, where it has one: its folder has to be there before the start. */
  readonly log?: string;
  /** What shows why it does not run. */
  readonly look: string;
  /** Whether it answers here. */
  isThere(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
  isRunning(): Promise<boolean>;
  /** Has it started at login, and now too if `start`; a running one is started again. @throws SignalboxError `service_refused` */
  enable(start: boolean): Promise<void>;
  /** Stops it, and has it started no more. @throws SignalboxError `service_refused` */
  disable(): Promise<void>;
  /** Tells it that the file has gone. */
  forget(): Promise<void>;
}
