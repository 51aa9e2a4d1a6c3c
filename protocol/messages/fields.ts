import { z } from 'zod';
import { isProviderSlug } from '../providers.ts';
import { ATTENTION_KINDS, ATTENTION_STATES, LAMP_STATES } from '../states.ts';

/** Fields that several messages share. Everything we publish is a strict object; what we read is tolerant where the specification says so. */

/** The version every JSON message of ours carries. */
export const version = z.literal(1);

/** Unix seconds: 0 stands for "not yet". */
export const seconds = z.int().nonnegative();
/** Unix milliseconds. */
export const milliseconds = z.int().nonnegative();
export const count = z.int().nonnegative();

export const attentionState = z.enum(ATTENTION_STATES);
export const lampState = z.enum(LAMP_STATES);
export const attentionKind = z.enum(ATTENTION_KINDS);

export const providerSlug = z.string().refine(isProviderSlug, 'not a provider slug');

/** First 12 hex digits of SHA-256(host NUL session_id) (spec: bus, below the topic table). */
export const sessionKey = z.string().regex(/^[0-9a-f]{12}$/, 'not a session key');

/** One word of ours or of an agent's, cut down to it on arrival. */
export const wordText = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'not one word');
/** A reason is a word, or empty when there is none. */
export const reason = z.union([z.literal(''), wordText]);

export const id = z.string().min(1).max(200);
export const name = z.string().max(128);
export const path = z.string().max(1024);

/** Ties a response to its request; the requester chooses it. */
export const transaction = z.string().min(1).max(64);

/** `signal/<provider>` and `signal/<provider>/usage` never take more bytes of UTF-8 than this (spec: bus). */
export const SIGNAL_BYTES = 512;
