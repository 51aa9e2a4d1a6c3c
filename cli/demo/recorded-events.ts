/**
 * What real clients told their hooks, cut down to an allow-list (spec: agents, section 1). Generated from test/fixtures/recordings by `npm run generate`.
 */
export const RECORDED_EVENTS = {
  'claude-code-2.1.332/perm_approve': `
{"event":"SessionStart","entrypoint":"cli","source":"startup"}
{"event":"UserPromptSubmit","prompt_id":"246a7d1c-cbfe-4cfa-b977-b0d950ce7200","permission_mode":"default","entrypoint":"cli"}
{"event":"PreToolUse","prompt_id":"246a7d1c-cbfe-4cfa-b977-b0d950ce7200","call":"toolu_399c126efc32fc427d25fae3","tool":"Bash","digest":"667ace454a8ef448","permission_mode":"default","entrypoint":"cli"}
{"event":"PermissionRequest","prompt_id":"246a7d1c-cbfe-4cfa-b977-b0d950ce7200","tool":"Bash","digest":"667ace454a8ef448","permission_mode":"default","entrypoint":"cli"}
{"event":"PostToolUse","prompt_id":"246a7d1c-cbfe-4cfa-b977-b0d950ce7200","call":"toolu_399c126efc32fc427d25fae3","tool":"Bash","digest":"667ace454a8ef448","permission_mode":"default","entrypoint":"cli"}
{"event":"PostToolBatch","prompt_id":"246a7d1c-cbfe-4cfa-b977-b0d950ce7200","permission_mode":"default","entrypoint":"cli","calls":1}
{"event":"Stop","prompt_id":"246a7d1c-cbfe-4cfa-b977-b0d950ce7200","permission_mode":"default","entrypoint":"cli","background":[],"crons":0}
{"event":"SessionEnd","prompt_id":"e1f848d1-45b5-4d80-8675-2a3582243320","entrypoint":"cli"}
`,
  'claude-code-2.1.332/err_e429': `
{"event":"SessionStart","entrypoint":"cli","source":"startup"}
{"event":"UserPromptSubmit","prompt_id":"bdc691a0-1549-4b82-b67b-5a6e49bfba0e","permission_mode":"default","entrypoint":"cli"}
{"event":"StopFailure","prompt_id":"bdc691a0-1549-4b82-b67b-5a6e49bfba0e","entrypoint":"cli","error":"rate_limit"}
{"event":"UserPromptSubmit","prompt_id":"86635522-18da-499b-9c17-1e284e5ead5d","permission_mode":"default","entrypoint":"cli"}
{"event":"Stop","prompt_id":"86635522-18da-499b-9c17-1e284e5ead5d","permission_mode":"default","entrypoint":"cli","background":[],"crons":0}
{"event":"SessionEnd","prompt_id":"92325a21-f0f7-459f-824b-719de12cd6e6","entrypoint":"cli"}
`,
  'claude-code-2.1.332/ask_answered': `
{"event":"SessionStart","entrypoint":"cli","source":"startup"}
{"event":"UserPromptSubmit","prompt_id":"f93a9bed-b80d-48b1-82b7-148d71ec56b3","permission_mode":"default","entrypoint":"cli"}
{"event":"PreToolUse","prompt_id":"f93a9bed-b80d-48b1-82b7-148d71ec56b3","call":"toolu_2b4faabb4ff9e37a64d60a41","tool":"AskUserQuestion","digest":"214d0bdae911995f","permission_mode":"default","entrypoint":"cli"}
{"event":"PermissionRequest","prompt_id":"f93a9bed-b80d-48b1-82b7-148d71ec56b3","tool":"AskUserQuestion","digest":"214d0bdae911995f","permission_mode":"default","entrypoint":"cli"}
{"event":"Notification","prompt_id":"f93a9bed-b80d-48b1-82b7-148d71ec56b3","entrypoint":"cli","notification":"permission_prompt"}
{"event":"PostToolUse","prompt_id":"f93a9bed-b80d-48b1-82b7-148d71ec56b3","call":"toolu_2b4faabb4ff9e37a64d60a41","tool":"AskUserQuestion","digest":"395d0662f4a039bc","permission_mode":"default","entrypoint":"cli"}
{"event":"PostToolBatch","prompt_id":"f93a9bed-b80d-48b1-82b7-148d71ec56b3","permission_mode":"default","entrypoint":"cli","calls":1}
{"event":"Stop","prompt_id":"f93a9bed-b80d-48b1-82b7-148d71ec56b3","permission_mode":"default","entrypoint":"cli","background":[],"crons":0}
{"event":"SessionEnd","prompt_id":"e7169447-1a43-4694-8ba9-d9d2614b16d9","entrypoint":"cli"}
`,
  'claude-code-2.1.332/bgbash': `
{"event":"SessionStart","entrypoint":"cli","source":"startup"}
{"event":"UserPromptSubmit","prompt_id":"080ca0fd-a518-4af6-b5be-b8b821111b4f","permission_mode":"default","entrypoint":"cli"}
{"event":"PreToolUse","prompt_id":"080ca0fd-a518-4af6-b5be-b8b821111b4f","call":"toolu_577beb86129d180b17118202","tool":"Bash","digest":"de7c2a86da8a0864","permission_mode":"default","entrypoint":"cli"}
{"event":"PostToolUse","prompt_id":"080ca0fd-a518-4af6-b5be-b8b821111b4f","call":"toolu_577beb86129d180b17118202","tool":"Bash","digest":"de7c2a86da8a0864","permission_mode":"default","entrypoint":"cli"}
{"event":"PostToolBatch","prompt_id":"080ca0fd-a518-4af6-b5be-b8b821111b4f","permission_mode":"default","entrypoint":"cli","calls":1}
{"event":"Stop","prompt_id":"080ca0fd-a518-4af6-b5be-b8b821111b4f","permission_mode":"default","entrypoint":"cli","background":[{"id":"bwt3bal0d","type":"shell","status":"running"}],"crons":0}
{"event":"UserPromptSubmit","prompt_id":"d62a2c51-d8af-4b31-b2a6-0498e1229c04","permission_mode":"default","entrypoint":"cli","own_prompt":true}
{"event":"Stop","prompt_id":"d62a2c51-d8af-4b31-b2a6-0498e1229c04","permission_mode":"default","entrypoint":"cli","background":[],"crons":0}
{"event":"SessionEnd","prompt_id":"4399adbb-b102-48e3-a3f5-259278be47dc","entrypoint":"cli"}
`,
  'codex-0.171.0/perm_approve': `
{"event":"SessionStart","permission_mode":"default","source":"startup"}
{"event":"UserPromptSubmit","prompt_id":"01a22c12-3520-7c72-b903-bcf55fbb9481","permission_mode":"default"}
{"event":"PreToolUse","prompt_id":"01a22c12-3520-7c72-b903-bcf55fbb9481","call":"call_fe2c1ceb82c3ee1abd2b3472","tool":"Bash","digest":"877d0afe12a943cb","permission_mode":"default"}
{"event":"PermissionRequest","prompt_id":"01a22c12-3520-7c72-b903-bcf55fbb9481","tool":"Bash","digest":"877d0afe12a943cb","permission_mode":"default"}
{"event":"PostToolUse","prompt_id":"01a22c12-3520-7c72-b903-bcf55fbb9481","call":"call_fe2c1ceb82c3ee1abd2b3472","tool":"Bash","digest":"877d0afe12a943cb","permission_mode":"default"}
{"event":"Stop","prompt_id":"01a22c12-3520-7c72-b903-bcf55fbb9481","permission_mode":"default"}
{"event":"UserPromptSubmit","prompt_id":"01a22c12-4f05-74c2-8c6a-6ea2e1bf2e27","permission_mode":"default"}
{"event":"Stop","prompt_id":"01a22c12-4f05-74c2-8c6a-6ea2e1bf2e27","permission_mode":"default"}
{"event":"SessionEnd"}
`,
  'codex-0.171.0/esc_tool': `
{"event":"SessionStart","permission_mode":"default","source":"startup"}
{"event":"UserPromptSubmit","prompt_id":"01a22c12-bd7d-7092-8ddd-c72cfe719686","permission_mode":"default"}
{"event":"PreToolUse","prompt_id":"01a22c12-bd7d-7092-8ddd-c72cfe719686","call":"call_afd9207516f2c4153227de1a","tool":"Bash","digest":"77d0f365c9ceb194","permission_mode":"default"}
{"event":"Interrupt","prompt_id":"01a22c12-bd7d-7092-8ddd-c72cfe719686","permission_mode":"default"}
{"event":"UserPromptSubmit","prompt_id":"01a22c12-dcd5-7a23-a62a-6d8967cae4c3","permission_mode":"default"}
{"event":"Stop","prompt_id":"01a22c12-dcd5-7a23-a62a-6d8967cae4c3","permission_mode":"default"}
{"event":"SessionEnd"}
`,
} as const;
