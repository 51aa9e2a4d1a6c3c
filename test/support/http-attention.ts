/** What `GET /status` answers, as far as tests look. */
export interface Status {
  readonly ok: boolean;
  readonly updated_at: number;
  readonly providers: readonly {
    readonly name: string;
    readonly attention: { readonly state: string; readonly reason: string; readonly updated_at: number };
  }[];
}

/** A wait, told by hand. */
export const REQUEST = {
  provider: 'claude',
  event: 'PermissionRequest',
  session_id: 'shop-1',
  cwd: '/srv/web-shop',
};
