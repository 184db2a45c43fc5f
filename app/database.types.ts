export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]

export type Database = {
  // Allows to automatically instantiate createClient with right options
  // instead of createClient<Database, { PostgrestVersion: 'XX' }>(URL, KEY)
  __InternalSupabase: {
    PostgrestVersion: "14"
  }
  public: {
    Tables: {
      audit_events: {
        Row: {
          action: string
          actor_id: string | null
          after: Json | null
          before: Json | null
          created_at: string
          id: number
          target_id: string
          target_type: string
        }
        Insert: {
          action: string
          actor_id?: string | null
          after?: Json | null
          before?: Json | null
          created_at?: string
          id?: never
          target_id: string
          target_type: string
        }
        Update: {
          action?: string
          actor_id?: string | null
          after?: Json | null
          before?: Json | null
          created_at?: string
          id?: never
          target_id?: string
          target_type?: string
        }
        Relationships: []
      }
      badges: {
        Row: {
          criterion: string
          description: string
          icon_url: string
          id: string
          name: string
          threshold: number
          tier: number
        }
        Insert: {
          criterion: string
          description: string
          icon_url: string
          id?: string
          name: string
          threshold: number
          tier: number
        }
        Update: {
          criterion?: string
          description?: string
          icon_url?: string
          id?: string
          name?: string
          threshold?: number
          tier?: number
        }
        Relationships: []
      }
      collection_items: {
        Row: {
          collection_id: string
          created_at: string
          language: string | null
          note: string | null
          solution_id: string
          user_id: string
        }
        Insert: {
          collection_id: string
          created_at?: string
          language?: string | null
          note?: string | null
          solution_id: string
          user_id?: string
        }
        Update: {
          collection_id?: string
          created_at?: string
          language?: string | null
          note?: string | null
          solution_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "collection_items_collection_id_user_id_fkey"
            columns: ["collection_id", "user_id"]
            isOneToOne: false
            referencedRelation: "collections"
            referencedColumns: ["id", "user_id"]
          },
          {
            foreignKeyName: "collection_items_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "collection_items_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "collection_items_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      collections: {
        Row: {
          created_at: string
          id: string
          is_shared: boolean
          language: string | null
          link_removed_at: string | null
          title: string
          user_id: string
        }
        Insert: {
          created_at?: string
          id?: string
          is_shared?: boolean
          language?: string | null
          link_removed_at?: string | null
          title: string
          user_id?: string
        }
        Update: {
          created_at?: string
          id?: string
          is_shared?: boolean
          language?: string | null
          link_removed_at?: string | null
          title?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "collections_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "collections_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      comment_counts: {
        Row: {
          comments_count: number
          solution_id: string
        }
        Insert: {
          comments_count: number
          solution_id: string
        }
        Update: {
          comments_count?: number
          solution_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "comment_counts_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: true
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
        ]
      }
      comments: {
        Row: {
          audience: string
          content: string
          created_at: string
          deleted_at: string | null
          depth: number
          edited_at: string | null
          id: string
          language: string
          parent_comment_id: string | null
          solution_id: string
          submission_id: string | null
          thread_id: string | null
          user_id: string | null
        }
        Insert: {
          audience?: string
          content: string
          created_at?: string
          deleted_at?: string | null
          depth?: number
          edited_at?: string | null
          id?: string
          language?: string
          parent_comment_id?: string | null
          solution_id: string
          submission_id?: string | null
          thread_id?: string | null
          user_id?: string | null
        }
        Update: {
          audience?: string
          content?: string
          created_at?: string
          deleted_at?: string | null
          depth?: number
          edited_at?: string | null
          id?: string
          language?: string
          parent_comment_id?: string | null
          solution_id?: string
          submission_id?: string | null
          thread_id?: string | null
          user_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "A reply belongs to a comment on the same solution"
            columns: ["parent_comment_id", "solution_id"]
            isOneToOne: false
            referencedRelation: "comments"
            referencedColumns: ["id", "solution_id"]
          },
          {
            foreignKeyName: "comments_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "comments_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "comments_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      content_reports: {
        Row: {
          admin_response: string | null
          content_id: string
          content_type: string
          created_at: string
          id: string
          reason: string
          reporter_id: string | null
          resolved_at: string | null
          resolved_by: string | null
          shows_patient: boolean
          status: string
          tells_of_harm: boolean
          reported_title: string | null
        }
        Insert: {
          admin_response?: string | null
          content_id: string
          content_type: string
          created_at?: string
          id?: string
          reason: string
          reporter_id?: string | null
          resolved_at?: string | null
          resolved_by?: string | null
          shows_patient?: boolean
          status?: string
          tells_of_harm?: boolean
        }
        Update: {
          admin_response?: string | null
          content_id?: string
          content_type?: string
          created_at?: string
          id?: string
          reason?: string
          reporter_id?: string | null
          resolved_at?: string | null
          resolved_by?: string | null
          shows_patient?: boolean
          status?: string
          tells_of_harm?: boolean
        }
        Relationships: [
          {
            foreignKeyName: "content_reports_reporter_id_fkey"
            columns: ["reporter_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "content_reports_reporter_id_fkey"
            columns: ["reporter_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "content_reports_resolved_by_fkey"
            columns: ["resolved_by"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "content_reports_resolved_by_fkey"
            columns: ["resolved_by"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      cpd_entries: {
        Row: {
          activity: string
          benefit: string | null
          created_at: string
          day: string
          gap_reason: string | null
          id: string
          in_detail: boolean
          kind: string | null
          minutes: number
          reflection: string | null
          solution_id: string | null
          subject: string
          topic_id: string | null
          user_id: string
        }
        Insert: {
          activity: string
          benefit?: string | null
          created_at?: string
          day: string
          gap_reason?: string | null
          id?: string
          in_detail?: boolean
          kind?: string | null
          minutes: number
          reflection?: string | null
          solution_id?: string | null
          subject: string
          topic_id?: string | null
          user_id?: string
        }
        Update: {
          activity?: string
          benefit?: string | null
          created_at?: string
          day?: string
          gap_reason?: string | null
          id?: string
          in_detail?: boolean
          kind?: string | null
          minutes?: number
          reflection?: string | null
          solution_id?: string | null
          subject?: string
          topic_id?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "cpd_entries_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "cpd_entries_topic_id_fkey"
            columns: ["topic_id"]
            isOneToOne: false
            referencedRelation: "forum_topics"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "cpd_entries_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "cpd_entries_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      follows: {
        Row: {
          created_at: string
          filters: string[] | null
          id: string
          match: string | null
          member_id: string | null
          search: string | null
          solution_id: string | null
          tag: string | null
          topic_id: string | null
          user_id: string
        }
        Insert: {
          created_at?: string
          filters?: string[] | null
          id?: string
          match?: string | null
          member_id?: string | null
          search?: string | null
          solution_id?: string | null
          tag?: string | null
          topic_id?: string | null
          user_id?: string
        }
        Update: {
          created_at?: string
          filters?: string[] | null
          id?: string
          match?: string | null
          member_id?: string | null
          search?: string | null
          solution_id?: string | null
          tag?: string | null
          topic_id?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "follows_member_id_fkey"
            columns: ["member_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "follows_member_id_fkey"
            columns: ["member_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "follows_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "follows_topic_id_fkey"
            columns: ["topic_id"]
            isOneToOne: false
            referencedRelation: "forum_topics"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "follows_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "follows_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      forum_posts: {
        Row: {
          content: string
          created_at: string
          edited_at: string | null
          helped_told_at: string | null
          id: string
          image_consent: string | null
          images: NonNullable<Json>
          images_checked_at: string | null
          images_hidden_at: string | null
          language: string
          shown_images: NonNullable<Json>
          submission_id: string | null
          topic_id: string
          user_id: string | null
        }
        Insert: {
          content: string
          created_at?: string
          edited_at?: string | null
          helped_told_at?: string | null
          id?: string
          image_consent?: string | null
          images?: NonNullable<Json>
          images_checked_at?: string | null
          images_hidden_at?: string | null
          language?: string
          shown_images?: NonNullable<Json>
          submission_id?: string | null
          topic_id: string
          user_id?: string | null
        }
        Update: {
          content?: string
          created_at?: string
          edited_at?: string | null
          helped_told_at?: string | null
          id?: string
          image_consent?: string | null
          images?: NonNullable<Json>
          images_checked_at?: string | null
          images_hidden_at?: string | null
          language?: string
          shown_images?: NonNullable<Json>
          submission_id?: string | null
          topic_id?: string
          user_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "forum_posts_topic_id_fkey"
            columns: ["topic_id"]
            isOneToOne: false
            referencedRelation: "forum_topics"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "forum_posts_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "forum_posts_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      forum_topics: {
        Row: {
          answer_id: string | null
          category: string
          created_at: string
          description: string | null
          edited_at: string | null
          id: string
          image_consent: string | null
          images: NonNullable<Json>
          images_checked_at: string | null
          images_hidden_at: string | null
          is_locked: boolean
          is_pinned: boolean
          language: string
          posts_count: number
          shown_images: NonNullable<Json>
          submission_id: string | null
          summary: string | null
          summary_at: string | null
          summary_by: string | null
          summary_language: string | null
          summary_told_at: string | null
          title: string
          user_id: string | null
          views_count: number
        }
        Insert: {
          answer_id?: string | null
          category?: string
          created_at?: string
          description?: string | null
          edited_at?: string | null
          id?: string
          image_consent?: string | null
          images?: NonNullable<Json>
          images_checked_at?: string | null
          images_hidden_at?: string | null
          is_locked?: boolean
          is_pinned?: boolean
          language?: string
          posts_count?: number
          shown_images?: NonNullable<Json>
          submission_id?: string | null
          summary?: string | null
          summary_at?: string | null
          summary_by?: string | null
          summary_language?: string | null
          summary_told_at?: string | null
          title: string
          user_id?: string | null
          views_count?: number
        }
        Update: {
          answer_id?: string | null
          category?: string
          created_at?: string
          description?: string | null
          edited_at?: string | null
          id?: string
          image_consent?: string | null
          images?: NonNullable<Json>
          images_checked_at?: string | null
          images_hidden_at?: string | null
          is_locked?: boolean
          is_pinned?: boolean
          language?: string
          posts_count?: number
          shown_images?: NonNullable<Json>
          submission_id?: string | null
          summary?: string | null
          summary_at?: string | null
          summary_by?: string | null
          summary_language?: string | null
          summary_told_at?: string | null
          title?: string
          user_id?: string | null
          views_count?: number
        }
        Relationships: [
          {
            foreignKeyName: "forum_topics_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "forum_topics_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      held_posts: {
        Row: {
          audience: string
          category: string | null
          content: string | null
          created_at: string
          id: string
          image_consent: string | null
          images: NonNullable<Json>
          language: string
          parent_comment_id: string | null
          solution_id: string | null
          submission_id: string | null
          title: string | null
          topic_id: string | null
          user_id: string
          version: number
        }
        Insert: {
          audience?: string
          category?: string | null
          content?: string | null
          created_at?: string
          id?: string
          image_consent?: string | null
          images?: NonNullable<Json>
          language?: string
          parent_comment_id?: string | null
          solution_id?: string | null
          submission_id?: string | null
          title?: string | null
          topic_id?: string | null
          user_id?: string
          version?: number
        }
        Update: {
          audience?: string
          category?: string | null
          content?: string | null
          created_at?: string
          id?: string
          image_consent?: string | null
          images?: NonNullable<Json>
          language?: string
          parent_comment_id?: string | null
          solution_id?: string | null
          submission_id?: string | null
          title?: string | null
          topic_id?: string | null
          user_id?: string
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: "held_posts_parent_comment_id_fkey"
            columns: ["parent_comment_id"]
            isOneToOne: false
            referencedRelation: "comments"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "held_posts_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "held_posts_topic_id_fkey"
            columns: ["topic_id"]
            isOneToOne: false
            referencedRelation: "forum_topics"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "held_posts_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "held_posts_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      incident_authorities: {
        Row: {
          code: string
          country: string
          name: string
          url: string
        }
        Insert: {
          code: string
          country: string
          name: string
          url: string
        }
        Update: {
          code?: string
          country?: string
          name?: string
          url?: string
        }
        Relationships: []
      }
      incoming_uploads: {
        Row: {
          created_at: string
          name: string
          user_id: string
        }
        Insert: {
          created_at?: string
          name: string
          user_id: string
        }
        Update: {
          created_at?: string
          name?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "incoming_uploads_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "incoming_uploads_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      likes: {
        Row: {
          created_at: string
          id: string
          solution_id: string
          user_id: string
        }
        Insert: {
          created_at?: string
          id?: string
          solution_id: string
          user_id?: string
        }
        Update: {
          created_at?: string
          id?: string
          solution_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "likes_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "likes_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "likes_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      media_jobs: {
        Row: {
          attempts: number
          claimed_at: string | null
          created_at: string
          due_at: string
          id: number
          last_error: string | null
          object_names: string[]
          solution_id: string | null
        }
        Insert: {
          attempts?: number
          claimed_at?: string | null
          created_at?: string
          due_at?: string
          id?: never
          last_error?: string | null
          object_names?: string[]
          solution_id?: string | null
        }
        Update: {
          attempts?: number
          claimed_at?: string | null
          created_at?: string
          due_at?: string
          id?: never
          last_error?: string | null
          object_names?: string[]
          solution_id?: string | null
        }
        Relationships: []
      }
      member_blocks: {
        Row: {
          blocked_id: string
          blocker_id: string
          created_at: string
        }
        Insert: {
          blocked_id: string
          blocker_id?: string
          created_at?: string
        }
        Update: {
          blocked_id?: string
          blocker_id?: string
          created_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "member_blocks_blocked_id_fkey"
            columns: ["blocked_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "member_blocks_blocked_id_fkey"
            columns: ["blocked_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "member_blocks_blocker_id_fkey"
            columns: ["blocker_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "member_blocks_blocker_id_fkey"
            columns: ["blocker_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      member_declarations: {
        Row: {
          declared_at: string
          statement: string
          text_version: string
          user_id: string
        }
        Insert: {
          declared_at?: string
          statement: string
          text_version: string
          user_id: string
        }
        Update: {
          declared_at?: string
          statement?: string
          text_version?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "member_declarations_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "member_declarations_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      member_registrations: {
        Row: {
          checked_name: string | null
          checklist: Json | null
          decided_at: string | null
          decided_by: string | null
          decline_reason: string | null
          id: string
          number: string
          register: string
          state: string
          submitted_at: string
          updated_at: string
          user_id: string
        }
        Insert: {
          checked_name?: string | null
          checklist?: Json | null
          decided_at?: string | null
          decided_by?: string | null
          decline_reason?: string | null
          id?: string
          number: string
          register: string
          state?: string
          submitted_at?: string
          updated_at?: string
          user_id?: string
        }
        Update: {
          checked_name?: string | null
          checklist?: Json | null
          decided_at?: string | null
          decided_by?: string | null
          decline_reason?: string | null
          id?: string
          number?: string
          register?: string
          state?: string
          submitted_at?: string
          updated_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "member_registrations_decided_by_fkey"
            columns: ["decided_by"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "member_registrations_decided_by_fkey"
            columns: ["decided_by"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "member_registrations_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: true
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "member_registrations_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: true
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "Please choose a register from the list"
            columns: ["register"]
            isOneToOne: false
            referencedRelation: "registers"
            referencedColumns: ["code"]
          },
        ]
      }
      message_deletions: {
        Row: {
          message_id: string
          user_id: string
        }
        Insert: {
          message_id: string
          user_id: string
        }
        Update: {
          message_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "message_deletions_message_id_fkey"
            columns: ["message_id"]
            isOneToOne: false
            referencedRelation: "messages"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "message_deletions_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "message_deletions_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      messages: {
        Row: {
          content: string
          created_at: string
          id: string
          language: string | null
          notification_type: string
          pair: string
          read: boolean
          recipient_id: string | null
          sender_id: string | null
          solution_id: string | null
          subject: string | null
          submission_id: string | null
        }
        Insert: {
          content: string
          created_at?: string
          id?: string
          language?: string | null
          notification_type?: string
          pair?: string
          read?: boolean
          recipient_id?: string | null
          sender_id?: string | null
          solution_id?: string | null
          subject?: string | null
          submission_id?: string | null
        }
        Update: {
          content?: string
          created_at?: string
          id?: string
          language?: string | null
          notification_type?: string
          pair?: string
          read?: boolean
          recipient_id?: string | null
          sender_id?: string | null
          solution_id?: string | null
          subject?: string | null
          submission_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "messages_recipient_id_fkey"
            columns: ["recipient_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "messages_recipient_id_fkey"
            columns: ["recipient_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "messages_sender_id_fkey"
            columns: ["sender_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "messages_sender_id_fkey"
            columns: ["sender_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "messages_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
        ]
      }
      notifications: {
        Row: {
          actor_id: string | null
          badge_id: string | null
          comment_id: string | null
          content_report_id: string | null
          created_at: string
          forum_post_id: string | null
          forum_topic_id: string | null
          id: string
          is_read: boolean
          message_id: string | null
          part_notice_id: string | null
          removal_request_id: string | null
          resource_suggestion_id: string | null
          solution_id: string | null
          trial_id: string | null
          type: string
          use_question_id: string | null
          user_id: string
        }
        Insert: {
          actor_id?: string | null
          badge_id?: string | null
          comment_id?: string | null
          content_report_id?: string | null
          created_at?: string
          forum_post_id?: string | null
          forum_topic_id?: string | null
          id?: string
          is_read?: boolean
          message_id?: string | null
          part_notice_id?: string | null
          removal_request_id?: string | null
          resource_suggestion_id?: string | null
          solution_id?: string | null
          trial_id?: string | null
          type: string
          use_question_id?: string | null
          user_id: string
        }
        Update: {
          actor_id?: string | null
          badge_id?: string | null
          comment_id?: string | null
          content_report_id?: string | null
          created_at?: string
          forum_post_id?: string | null
          forum_topic_id?: string | null
          id?: string
          is_read?: boolean
          message_id?: string | null
          part_notice_id?: string | null
          removal_request_id?: string | null
          resource_suggestion_id?: string | null
          solution_id?: string | null
          trial_id?: string | null
          type?: string
          use_question_id?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "notifications_actor_id_fkey"
            columns: ["actor_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "notifications_actor_id_fkey"
            columns: ["actor_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "notifications_badge_id_fkey"
            columns: ["badge_id"]
            isOneToOne: false
            referencedRelation: "badges"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "notifications_comment_id_fkey"
            columns: ["comment_id"]
            isOneToOne: false
            referencedRelation: "comments"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "notifications_content_report_id_fkey"
            columns: ["content_report_id"]
            isOneToOne: false
            referencedRelation: "content_reports"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "notifications_forum_post_id_fkey"
            columns: ["forum_post_id"]
            isOneToOne: false
            referencedRelation: "forum_posts"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "notifications_forum_topic_id_fkey"
            columns: ["forum_topic_id"]
            isOneToOne: false
            referencedRelation: "forum_topics"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "notifications_message_id_fkey"
            columns: ["message_id"]
            isOneToOne: false
            referencedRelation: "messages"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "notifications_part_notice_id_fkey"
            columns: ["part_notice_id"]
            isOneToOne: false
            referencedRelation: "part_notices"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "notifications_removal_request_id_fkey"
            columns: ["removal_request_id"]
            isOneToOne: false
            referencedRelation: "removal_requests"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "notifications_resource_suggestion_id_fkey"
            columns: ["resource_suggestion_id"]
            isOneToOne: false
            referencedRelation: "resource_suggestions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "notifications_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "notifications_trial_id_fkey"
            columns: ["trial_id"]
            isOneToOne: false
            referencedRelation: "solution_trials"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "notifications_use_question_id_fkey"
            columns: ["use_question_id"]
            isOneToOne: false
            referencedRelation: "use_questions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "notifications_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "notifications_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      outcome_measures: {
        Row: {
          abbreviation: string
          ages: string[]
          construct: string
          decimals: number
          direction: string
          error_kind: string | null
          error_population: string | null
          error_reference: string | null
          error_size: number | null
          error_url: string | null
          is_open: boolean
          limb: string
          maximum: number
          minimum: number
          name: string
          position: number
          reference: string
          reference_url: string
          unit: string
        }
        Insert: {
          abbreviation: string
          ages: string[]
          construct: string
          decimals: number
          direction: string
          error_kind?: string | null
          error_population?: string | null
          error_reference?: string | null
          error_size?: number | null
          error_url?: string | null
          is_open?: boolean
          limb: string
          maximum: number
          minimum: number
          name: string
          position: number
          reference: string
          reference_url: string
          unit: string
        }
        Update: {
          abbreviation?: string
          ages?: string[]
          construct?: string
          decimals?: number
          direction?: string
          error_kind?: string | null
          error_population?: string | null
          error_reference?: string | null
          error_size?: number | null
          error_url?: string | null
          is_open?: boolean
          limb?: string
          maximum?: number
          minimum?: number
          name?: string
          position?: number
          reference?: string
          reference_url?: string
          unit?: string
        }
        Relationships: []
      }
      page_views: {
        Row: {
          id: number
          page_path: string
          session_id: string | null
          user_id: string | null
          viewed_at: string
        }
        Insert: {
          id?: never
          page_path: string
          session_id?: string | null
          user_id?: string | null
          viewed_at?: string
        }
        Update: {
          id?: never
          page_path?: string
          session_id?: string | null
          user_id?: string | null
          viewed_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "page_views_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "page_views_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      part_notices: {
        Row: {
          content: string
          created_at: string
          ended_at: string | null
          ended_by: string | null
          id: string
          kind: string
          language: string | null
          maker: string
          part: string
          part_number: string
          user_id: string | null
        }
        Insert: {
          content: string
          created_at?: string
          ended_at?: string | null
          ended_by?: string | null
          id?: string
          kind: string
          language?: string | null
          maker: string
          part?: never
          part_number: string
          user_id?: string | null
        }
        Update: {
          content?: string
          created_at?: string
          ended_at?: string | null
          ended_by?: string | null
          id?: string
          kind?: string
          language?: string | null
          maker?: string
          part?: never
          part_number?: string
          user_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "part_notices_ended_by_fkey"
            columns: ["ended_by"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "part_notices_ended_by_fkey"
            columns: ["ended_by"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "part_notices_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "part_notices_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      pending_uploads: {
        Row: {
          byte_size: number
          created_at: string
          id: string
          made: NonNullable<Json>
          url: string
          urls: string[]
          user_id: string
        }
        Insert: {
          byte_size: number
          created_at?: string
          id?: string
          made: NonNullable<Json>
          url?: never
          urls: string[]
          user_id: string
        }
        Update: {
          byte_size?: number
          created_at?: string
          id?: string
          made?: NonNullable<Json>
          url?: never
          urls?: string[]
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "pending_uploads_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "pending_uploads_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      point_events: {
        Row: {
          cause: string
          created_at: string
          id: number
          points: number
          source_id: string
          user_id: string
        }
        Insert: {
          cause: string
          created_at?: string
          id?: never
          points: number
          source_id: string
          user_id: string
        }
        Update: {
          cause?: string
          created_at?: string
          id?: never
          points?: number
          source_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "point_events_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "point_events_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      profiles: {
        Row: {
          allow_messages: boolean
          allow_notifications: boolean
          asks_still_in_use: boolean
          avatar_url: string | null
          bio: string | null
          bio_language: string | null
          created_at: string
          digest_due_at: string | null
          email_notifications: boolean
          full_name: string | null
          id: string
          interests: string | null
          location: string | null
          orcid: string | null
          profession: string | null
          registration_checked_on: string | null
          registration_level: string | null
          registration_register: string | null
          updated_at: string
          username: string | null
          weekly_digest: boolean
          workplace: string | null
        }
        Insert: {
          allow_messages?: boolean
          allow_notifications?: boolean
          asks_still_in_use?: boolean
          avatar_url?: string | null
          bio?: string | null
          bio_language?: string | null
          created_at?: string
          digest_due_at?: string | null
          email_notifications?: boolean
          full_name?: string | null
          id: string
          interests?: string | null
          location?: string | null
          orcid?: string | null
          profession?: string | null
          registration_checked_on?: string | null
          registration_level?: string | null
          registration_register?: string | null
          updated_at?: string
          username?: string | null
          weekly_digest?: boolean
          workplace?: string | null
        }
        Update: {
          allow_messages?: boolean
          allow_notifications?: boolean
          asks_still_in_use?: boolean
          avatar_url?: string | null
          bio?: string | null
          bio_language?: string | null
          created_at?: string
          digest_due_at?: string | null
          email_notifications?: boolean
          full_name?: string | null
          id?: string
          interests?: string | null
          location?: string | null
          orcid?: string | null
          profession?: string | null
          registration_checked_on?: string | null
          registration_level?: string | null
          registration_register?: string | null
          updated_at?: string
          username?: string | null
          weekly_digest?: boolean
          workplace?: string | null
        }
        Relationships: []
      }
      refused_addresses: {
        Row: {
          address: string
          refused_at: string
          user_id: string
        }
        Insert: {
          address: string
          refused_at?: string
          user_id: string
        }
        Update: {
          address?: string
          refused_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "refused_addresses_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: true
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "refused_addresses_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: true
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      registers: {
        Row: {
          code: string
          country: string
          is_retired: boolean
          name: string
          professions: string
          search_url: string
        }
        Insert: {
          code: string
          country: string
          is_retired?: boolean
          name: string
          professions: string
          search_url: string
        }
        Update: {
          code?: string
          country?: string
          is_retired?: boolean
          name?: string
          professions?: string
          search_url?: string
        }
        Relationships: []
      }
      removal_requests: {
        Row: {
          alerted_at: string | null
          answer: string | null
          asker: string
          created_at: string
          due_at: string
          email: string | null
          hidden_at: string | null
          id: string
          media_ids: string[]
          reason: string | null
          resolved_at: string | null
          resolved_by: string | null
          solution_id: string | null
          status: string
          tracking_id: string
        }
        Insert: {
          alerted_at?: string | null
          answer?: string | null
          asker: string
          created_at?: string
          due_at?: string
          email?: string | null
          hidden_at?: string | null
          id?: string
          media_ids: string[]
          reason?: string | null
          resolved_at?: string | null
          resolved_by?: string | null
          solution_id?: string | null
          status?: string
          tracking_id: string
        }
        Update: {
          alerted_at?: string | null
          answer?: string | null
          asker?: string
          created_at?: string
          due_at?: string
          email?: string | null
          hidden_at?: string | null
          id?: string
          media_ids?: string[]
          reason?: string | null
          resolved_at?: string | null
          resolved_by?: string | null
          solution_id?: string | null
          status?: string
          tracking_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "removal_requests_resolved_by_fkey"
            columns: ["resolved_by"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "removal_requests_resolved_by_fkey"
            columns: ["resolved_by"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "removal_requests_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
        ]
      }
      resource_suggestions: {
        Row: {
          category: string
          created_at: string
          description: string
          id: string
          language: string | null
          rejection_reason: string | null
          resource_name: string
          resource_url: string
          status: string
          user_id: string | null
        }
        Insert: {
          category: string
          created_at?: string
          description: string
          id?: string
          language?: string | null
          rejection_reason?: string | null
          resource_name: string
          resource_url: string
          status?: string
          user_id?: string | null
        }
        Update: {
          category?: string
          created_at?: string
          description?: string
          id?: string
          language?: string | null
          rejection_reason?: string | null
          resource_name?: string
          resource_url?: string
          status?: string
          user_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "resource_suggestions_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "resource_suggestions_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      review_claims: {
        Row: {
          claimed_at: string
          item_id: string
          kind: string
          moderator_id: string
        }
        Insert: {
          claimed_at?: string
          item_id: string
          kind: string
          moderator_id?: string
        }
        Update: {
          claimed_at?: string
          item_id?: string
          kind?: string
          moderator_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "review_claims_moderator_id_fkey"
            columns: ["moderator_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "review_claims_moderator_id_fkey"
            columns: ["moderator_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      safety_notices: {
        Row: {
          content: string
          created_at: string
          ended_at: string | null
          ended_by: string | null
          id: string
          kind: string
          language: string | null
          solution_id: string
          user_id: string | null
        }
        Insert: {
          content: string
          created_at?: string
          ended_at?: string | null
          ended_by?: string | null
          id?: string
          kind: string
          language?: string | null
          solution_id: string
          user_id?: string | null
        }
        Update: {
          content?: string
          created_at?: string
          ended_at?: string | null
          ended_by?: string | null
          id?: string
          kind?: string
          language?: string | null
          solution_id?: string
          user_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "safety_notices_ended_by_fkey"
            columns: ["ended_by"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "safety_notices_ended_by_fkey"
            columns: ["ended_by"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "safety_notices_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "safety_notices_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "safety_notices_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      sanctions: {
        Row: {
          created_at: string
          created_by: string | null
          id: string
          kind: string
          lifted_at: string | null
          lifted_by: string | null
          reason: string
          until: string | null
          user_id: string
        }
        Insert: {
          created_at?: string
          created_by?: string | null
          id?: string
          kind: string
          lifted_at?: string | null
          lifted_by?: string | null
          reason: string
          until?: string | null
          user_id: string
        }
        Update: {
          created_at?: string
          created_by?: string | null
          id?: string
          kind?: string
          lifted_at?: string | null
          lifted_by?: string | null
          reason?: string
          until?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "sanctions_created_by_fkey"
            columns: ["created_by"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "sanctions_created_by_fkey"
            columns: ["created_by"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "sanctions_lifted_by_fkey"
            columns: ["lifted_by"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "sanctions_lifted_by_fkey"
            columns: ["lifted_by"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "sanctions_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "sanctions_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      search_synonyms: {
        Row: {
          created_at: string
          created_by: string | null
          id: string
          terms: string[]
        }
        Insert: {
          created_at?: string
          created_by?: string | null
          id?: string
          terms: string[]
        }
        Update: {
          created_at?: string
          created_by?: string | null
          id?: string
          terms?: string[]
        }
        Relationships: [
          {
            foreignKeyName: "search_synonyms_created_by_fkey"
            columns: ["created_by"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "search_synonyms_created_by_fkey"
            columns: ["created_by"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      site_settings: {
        Row: {
          accent_colour: string
          email_domains: string[]
          logo_url: string
          names_moderators: boolean
          only_row: boolean
          reviewed_first_posts: number
          show_points: boolean
          sign_up: string
          site_name: string
          staff_second_step: boolean
          welcome_text: string
        }
        Insert: {
          accent_colour?: string
          email_domains?: string[]
          logo_url?: string
          names_moderators?: boolean
          only_row?: boolean
          reviewed_first_posts?: number
          show_points?: boolean
          sign_up?: string
          site_name?: string
          staff_second_step?: boolean
          welcome_text?: string
        }
        Update: {
          accent_colour?: string
          email_domains?: string[]
          logo_url?: string
          names_moderators?: boolean
          only_row?: boolean
          reviewed_first_posts?: number
          show_points?: boolean
          sign_up?: string
          site_name?: string
          staff_second_step?: boolean
          welcome_text?: string
        }
        Relationships: []
      }
      solution_consents: {
        Row: {
          audience: string
          basis: string
          recorded_at: string
          recorded_by: string | null
          solution_id: string
          statement_version: string
        }
        Insert: {
          audience?: string
          basis: string
          recorded_at?: string
          recorded_by?: string | null
          solution_id: string
          statement_version: string
        }
        Update: {
          audience?: string
          basis?: string
          recorded_at?: string
          recorded_by?: string | null
          solution_id?: string
          statement_version?: string
        }
        Relationships: [
          {
            foreignKeyName: "solution_consents_recorded_by_fkey"
            columns: ["recorded_by"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_consents_recorded_by_fkey"
            columns: ["recorded_by"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_consents_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: true
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
        ]
      }
      solution_drafts: {
        Row: {
          content: NonNullable<Json>
          solution_id: string | null
          updated_at: string
          user_id: string
        }
        Insert: {
          content: NonNullable<Json>
          solution_id?: string | null
          updated_at?: string
          user_id?: string
        }
        Update: {
          content?: NonNullable<Json>
          solution_id?: string | null
          updated_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "solution_drafts_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_drafts_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_drafts_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      solution_fabrication: {
        Row: {
          currency: string | null
          hours: number | null
          solution_id: string
          tools: string[]
        }
        Insert: {
          currency?: string | null
          hours?: number | null
          solution_id: string
          tools?: string[]
        }
        Update: {
          currency?: string | null
          hours?: number | null
          solution_id?: string
          tools?: string[]
        }
        Relationships: [
          {
            foreignKeyName: "solution_fabrication_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: true
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
        ]
      }
      solution_files: {
        Row: {
          byte_size: number
          copy_of: string | null
          created_at: string
          description: string | null
          downloads: number
          facts: NonNullable<Json>
          file_name: string
          file_type: string
          file_url: string
          folder: string
          hidden_at: string | null
          id: string
          licence: string
          page_texts: string[]
          position: number
          previews: string[]
          solution_id: string
        }
        Insert: {
          byte_size: number
          copy_of?: string | null
          created_at?: string
          description?: string | null
          downloads?: number
          facts: NonNullable<Json>
          file_name: string
          file_type: string
          file_url: string
          folder?: never
          hidden_at?: string | null
          id?: string
          licence?: string
          page_texts: string[]
          position: number
          previews: string[]
          solution_id: string
        }
        Update: {
          byte_size?: number
          copy_of?: string | null
          created_at?: string
          description?: string | null
          downloads?: number
          facts?: NonNullable<Json>
          file_name?: string
          file_type?: string
          file_url?: string
          folder?: never
          hidden_at?: string | null
          id?: string
          licence?: string
          page_texts?: string[]
          position?: number
          previews?: string[]
          solution_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "solution_files_copy_of_fkey"
            columns: ["copy_of"]
            isOneToOne: false
            referencedRelation: "solution_files"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_files_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
        ]
      }
      solution_media: {
        Row: {
          compressed_url: string
          copy_of: string | null
          created_at: string
          description: string | null
          duration_seconds: number | null
          height: number | null
          hidden_at: string | null
          id: string
          media_type: string
          media_url: string
          position: number
          solution_id: string
          thumbnail_url: string
          trial_id: string | null
          width: number | null
        }
        Insert: {
          compressed_url: string
          copy_of?: string | null
          created_at?: string
          description?: string | null
          duration_seconds?: number | null
          height?: number | null
          hidden_at?: string | null
          id?: string
          media_type: string
          media_url: string
          position?: number
          solution_id: string
          thumbnail_url: string
          trial_id?: string | null
          width?: number | null
        }
        Update: {
          compressed_url?: string
          copy_of?: string | null
          created_at?: string
          description?: string | null
          duration_seconds?: number | null
          height?: number | null
          hidden_at?: string | null
          id?: string
          media_type?: string
          media_url?: string
          position?: number
          solution_id?: string
          thumbnail_url?: string
          trial_id?: string | null
          width?: number | null
        }
        Relationships: [
          {
            foreignKeyName: "solution_media_copy_of_fkey"
            columns: ["copy_of"]
            isOneToOne: false
            referencedRelation: "solution_media"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_media_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_media_trial_id_fkey"
            columns: ["trial_id"]
            isOneToOne: false
            referencedRelation: "solution_trials"
            referencedColumns: ["id"]
          },
        ]
      }
      solution_outcomes: {
        Row: {
          amputation_level: string | null
          audience: string | null
          device_before: string | null
          follow_up_weeks: number | null
          id: string
          measure: string
          people: number
          people_before: number | null
          position: number
          prosthesis_type: string | null
          published_at: string | null
          score_after: number
          score_before: number | null
          solution_id: string
          trial_id: string | null
        }
        Insert: {
          amputation_level?: string | null
          audience?: string | null
          device_before?: string | null
          follow_up_weeks?: number | null
          id?: string
          measure: string
          people: number
          people_before?: number | null
          position: number
          prosthesis_type?: string | null
          published_at?: string | null
          score_after: number
          score_before?: number | null
          solution_id: string
          trial_id?: string | null
        }
        Update: {
          amputation_level?: string | null
          audience?: string | null
          device_before?: string | null
          follow_up_weeks?: number | null
          id?: string
          measure?: string
          people?: number
          people_before?: number | null
          position?: number
          prosthesis_type?: string | null
          published_at?: string | null
          score_after?: number
          score_before?: number | null
          solution_id?: string
          trial_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "solution_outcomes_measure_fkey"
            columns: ["measure"]
            isOneToOne: false
            referencedRelation: "outcome_measures"
            referencedColumns: ["abbreviation"]
          },
          {
            foreignKeyName: "solution_outcomes_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_outcomes_trial_id_fkey"
            columns: ["trial_id"]
            isOneToOne: false
            referencedRelation: "solution_trials"
            referencedColumns: ["id"]
          },
        ]
      }
      solution_parts: {
        Row: {
          component: string
          cost: number | null
          link: string | null
          maker: string | null
          part_number: string | null
          position: number
          quantity: number
          solution_id: string
        }
        Insert: {
          component: string
          cost?: number | null
          link?: string | null
          maker?: string | null
          part_number?: string | null
          position: number
          quantity: number
          solution_id: string
        }
        Update: {
          component?: string
          cost?: number | null
          link?: string | null
          maker?: string | null
          part_number?: string | null
          position?: number
          quantity?: number
          solution_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "solution_parts_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solution_fabrication"
            referencedColumns: ["solution_id"]
          },
        ]
      }
      solution_reviews: {
        Row: {
          checklist: Json | null
          consent: Json | null
          created_at: string
          decision: string
          id: number
          reason: string | null
          replaced: Json | null
          reviewer_id: string | null
          solution_id: string
        }
        Insert: {
          checklist?: Json | null
          consent?: Json | null
          created_at?: string
          decision: string
          id?: never
          reason?: string | null
          replaced?: Json | null
          reviewer_id?: string | null
          solution_id: string
        }
        Update: {
          checklist?: Json | null
          consent?: Json | null
          created_at?: string
          decision?: string
          id?: never
          reason?: string | null
          replaced?: Json | null
          reviewer_id?: string | null
          solution_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "solution_reviews_reviewer_id_fkey"
            columns: ["reviewer_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_reviews_reviewer_id_fkey"
            columns: ["reviewer_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_reviews_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
        ]
      }
      solution_sources: {
        Row: {
          position: number
          solution_id: string
          source_id: string
          source_mark: string
        }
        Insert: {
          position?: number
          solution_id: string
          source_id: string
          source_mark?: never
        }
        Update: {
          position?: number
          solution_id?: string
          source_id?: string
          source_mark?: never
        }
        Relationships: [
          {
            foreignKeyName: "solution_sources_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_sources_source_id_fkey"
            columns: ["source_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
        ]
      }
      solution_steps: {
        Row: {
          instruction: string
          media_id: string | null
          position: number
          solution_id: string
        }
        Insert: {
          instruction: string
          media_id?: string | null
          position: number
          solution_id: string
        }
        Update: {
          instruction?: string
          media_id?: string | null
          position?: number
          solution_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "solution_steps_media_id_fkey"
            columns: ["media_id"]
            isOneToOne: false
            referencedRelation: "solution_media"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_steps_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solution_fabrication"
            referencedColumns: ["solution_id"]
          },
        ]
      }
      solution_translations: {
        Row: {
          approved_at: string | null
          checklist: Json | null
          created_at: string
          id: string
          language: string
          rejection_reason: string | null
          solution_id: string
          status: string
          texts: NonNullable<Json>
          updated_at: string
          user_id: string | null
          version: number
        }
        Insert: {
          approved_at?: string | null
          checklist?: Json | null
          created_at?: string
          id?: string
          language: string
          rejection_reason?: string | null
          solution_id: string
          status?: string
          texts: NonNullable<Json>
          updated_at?: string
          user_id?: string | null
          version: number
        }
        Update: {
          approved_at?: string | null
          checklist?: Json | null
          created_at?: string
          id?: string
          language?: string
          rejection_reason?: string | null
          solution_id?: string
          status?: string
          texts?: NonNullable<Json>
          updated_at?: string
          user_id?: string | null
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: "solution_translations_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_translations_solution_id_version_fkey"
            columns: ["solution_id", "version"]
            isOneToOne: false
            referencedRelation: "solution_versions"
            referencedColumns: ["solution_id", "version"]
          },
          {
            foreignKeyName: "solution_translations_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_translations_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      solution_trials: {
        Row: {
          age_group: string
          amputation_level: string
          answered_at: string | null
          approved_at: string | null
          audience: string
          author_answer: string | null
          changes: string | null
          checklist: Json | null
          consent_basis: string | null
          consent_recorded_at: string | null
          consent_version: string | null
          created_at: string
          experience: string | null
          id: string
          language: string
          prosthesis_type: string
          rejection_reason: string | null
          replaced: Json | null
          result: string
          solution_id: string
          status: string
          submission_id: string | null
          updated_at: string
          user_id: string | null
          version: number
        }
        Insert: {
          age_group: string
          amputation_level: string
          answered_at?: string | null
          approved_at?: string | null
          audience?: string
          author_answer?: string | null
          changes?: string | null
          checklist?: Json | null
          consent_basis?: string | null
          consent_recorded_at?: string | null
          consent_version?: string | null
          created_at?: string
          experience?: string | null
          id?: string
          language?: string
          prosthesis_type: string
          rejection_reason?: string | null
          replaced?: Json | null
          result: string
          solution_id: string
          status?: string
          submission_id?: string | null
          updated_at?: string
          user_id?: string | null
          version: number
        }
        Update: {
          age_group?: string
          amputation_level?: string
          answered_at?: string | null
          approved_at?: string | null
          audience?: string
          author_answer?: string | null
          changes?: string | null
          checklist?: Json | null
          consent_basis?: string | null
          consent_recorded_at?: string | null
          consent_version?: string | null
          created_at?: string
          experience?: string | null
          id?: string
          language?: string
          prosthesis_type?: string
          rejection_reason?: string | null
          replaced?: Json | null
          result?: string
          solution_id?: string
          status?: string
          submission_id?: string | null
          updated_at?: string
          user_id?: string | null
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: "solution_trials_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_trials_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solution_trials_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      solution_versions: {
        Row: {
          audience: string
          change_note: string | null
          content: Json | null
          published_at: string
          removed_at: string | null
          solution_id: string
          version: number
        }
        Insert: {
          audience?: string
          change_note?: string | null
          content?: Json | null
          published_at?: string
          removed_at?: string | null
          solution_id: string
          version: number
        }
        Update: {
          audience?: string
          change_note?: string | null
          content?: Json | null
          published_at?: string
          removed_at?: string | null
          solution_id?: string
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: "solution_versions_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
        ]
      }
      solutions: {
        Row: {
          age_group: string
          amputation_level: string
          approved_at: string | null
          audience: string
          author_names: string
          challenges_overcome: string | null
          change_note: string | null
          checklist: Json | null
          cost_range: string
          created_at: string
          custom_tags: string[]
          description: string
          durability_testing: string | null
          extra_facets: string[]
          facets: string[]
          id: string
          language: string
          licence: string | null
          likes_count: number
          materials: string[]
          number: number
          occupation: string
          patient_outcomes: string | null
          prosthesis_type: string
          rejection_reason: string | null
          removes_details: boolean
          revises: string | null
          safety_kind: string | null
          search_text: string
          status: string
          submission_digest: string | null
          submission_id: string | null
          submitted_at: string
          thumbnail_url: string | null
          title: string
          translated_texts: string
          tried_count: number
          updated_at: string
          user_id: string | null
          version: number
          withheld_files: number
          withheld_media: number
        }
        Insert: {
          age_group: string
          amputation_level: string
          approved_at?: string | null
          audience?: string
          author_names?: string
          challenges_overcome?: string | null
          change_note?: string | null
          checklist?: Json | null
          cost_range: string
          created_at?: string
          custom_tags?: string[]
          description: string
          durability_testing?: string | null
          extra_facets?: string[]
          facets?: never
          id?: string
          language?: string
          licence?: string | null
          likes_count?: number
          materials?: string[]
          number?: never
          occupation: string
          patient_outcomes?: string | null
          prosthesis_type: string
          rejection_reason?: string | null
          removes_details?: boolean
          revises?: string | null
          safety_kind?: string | null
          search_text?: never
          status?: string
          submission_digest?: string | null
          submission_id?: string | null
          submitted_at?: string
          thumbnail_url?: string | null
          title: string
          translated_texts?: string
          tried_count?: number
          updated_at?: string
          user_id?: string | null
          version?: number
          withheld_files?: number
          withheld_media?: number
        }
        Update: {
          age_group?: string
          amputation_level?: string
          approved_at?: string | null
          audience?: string
          author_names?: string
          challenges_overcome?: string | null
          change_note?: string | null
          checklist?: Json | null
          cost_range?: string
          created_at?: string
          custom_tags?: string[]
          description?: string
          durability_testing?: string | null
          extra_facets?: string[]
          facets?: never
          id?: string
          language?: string
          licence?: string | null
          likes_count?: number
          materials?: string[]
          number?: never
          occupation?: string
          patient_outcomes?: string | null
          prosthesis_type?: string
          rejection_reason?: string | null
          removes_details?: boolean
          revises?: string | null
          safety_kind?: string | null
          search_text?: never
          status?: string
          submission_digest?: string | null
          submission_id?: string | null
          submitted_at?: string
          thumbnail_url?: string | null
          title?: string
          translated_texts?: string
          tried_count?: number
          updated_at?: string
          user_id?: string | null
          version?: number
          withheld_files?: number
          withheld_media?: number
        }
        Relationships: [
          {
            foreignKeyName: "solutions_revises_fkey"
            columns: ["revises"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solutions_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "solutions_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      staff_notes: {
        Row: {
          about_id: string | null
          content: string
          content_report_id: string | null
          created_at: string
          created_by: string | null
          held_post_id: string | null
          id: string
          registration_id: string | null
          removal_request_id: string | null
          resource_suggestion_id: string | null
          solution_id: string | null
          translation_id: string | null
          trial_id: string | null
        }
        Insert: {
          about_id?: string | null
          content: string
          content_report_id?: string | null
          created_at?: string
          created_by?: string | null
          held_post_id?: string | null
          id?: string
          registration_id?: string | null
          removal_request_id?: string | null
          resource_suggestion_id?: string | null
          solution_id?: string | null
          translation_id?: string | null
          trial_id?: string | null
        }
        Update: {
          about_id?: string | null
          content?: string
          content_report_id?: string | null
          created_at?: string
          created_by?: string | null
          held_post_id?: string | null
          id?: string
          registration_id?: string | null
          removal_request_id?: string | null
          resource_suggestion_id?: string | null
          solution_id?: string | null
          translation_id?: string | null
          trial_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "staff_notes_about_id_fkey"
            columns: ["about_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "staff_notes_about_id_fkey"
            columns: ["about_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "staff_notes_content_report_id_fkey"
            columns: ["content_report_id"]
            isOneToOne: false
            referencedRelation: "content_reports"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "staff_notes_created_by_fkey"
            columns: ["created_by"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "staff_notes_created_by_fkey"
            columns: ["created_by"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "staff_notes_held_post_id_fkey"
            columns: ["held_post_id"]
            isOneToOne: false
            referencedRelation: "held_posts"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "staff_notes_registration_id_fkey"
            columns: ["registration_id"]
            isOneToOne: false
            referencedRelation: "member_registrations"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "staff_notes_removal_request_id_fkey"
            columns: ["removal_request_id"]
            isOneToOne: false
            referencedRelation: "removal_requests"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "staff_notes_resource_suggestion_id_fkey"
            columns: ["resource_suggestion_id"]
            isOneToOne: false
            referencedRelation: "resource_suggestions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "staff_notes_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "staff_notes_translation_id_fkey"
            columns: ["translation_id"]
            isOneToOne: false
            referencedRelation: "solution_translations"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "staff_notes_trial_id_fkey"
            columns: ["trial_id"]
            isOneToOne: false
            referencedRelation: "solution_trials"
            referencedColumns: ["id"]
          },
        ]
      }
      use_questions: {
        Row: {
          answer: string | null
          answered_at: string | null
          asked_at: string | null
          audience: string | null
          created_at: string
          id: string
          months: number
          reason: string | null
          reminded_at: string | null
          solution_id: string
          stopped_at: string | null
          trial_id: string | null
          user_id: string | null
        }
        Insert: {
          answer?: string | null
          answered_at?: string | null
          asked_at?: string | null
          audience?: string | null
          created_at?: string
          id?: string
          months: number
          reason?: string | null
          reminded_at?: string | null
          solution_id: string
          stopped_at?: string | null
          trial_id?: string | null
          user_id?: string | null
        }
        Update: {
          answer?: string | null
          answered_at?: string | null
          asked_at?: string | null
          audience?: string | null
          created_at?: string
          id?: string
          months?: number
          reason?: string | null
          reminded_at?: string | null
          solution_id?: string
          stopped_at?: string | null
          trial_id?: string | null
          user_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "use_questions_solution_id_fkey"
            columns: ["solution_id"]
            isOneToOne: false
            referencedRelation: "solutions"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "use_questions_trial_id_fkey"
            columns: ["trial_id"]
            isOneToOne: false
            referencedRelation: "solution_trials"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "use_questions_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "use_questions_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      user_badges: {
        Row: {
          badge_id: string
          earned_at: string
          user_id: string
        }
        Insert: {
          badge_id: string
          earned_at?: string
          user_id: string
        }
        Update: {
          badge_id?: string
          earned_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "user_badges_badge_id_fkey"
            columns: ["badge_id"]
            isOneToOne: false
            referencedRelation: "badges"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "user_badges_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "user_badges_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      user_points: {
        Row: {
          total_points: number
          user_id: string
        }
        Insert: {
          total_points?: number
          user_id: string
        }
        Update: {
          total_points?: number
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "user_points_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: true
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "user_points_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: true
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      user_roles: {
        Row: {
          created_at: string
          role: string
          user_id: string
        }
        Insert: {
          created_at?: string
          role: string
          user_id: string
        }
        Update: {
          created_at?: string
          role?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "user_roles_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "user_roles_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      withdrawn_solutions: {
        Row: {
          audience: string
          id: string
          reason: string | null
          title: string | null
          withdrawn_at: string
        }
        Insert: {
          audience?: string
          id: string
          reason?: string | null
          title?: string | null
          withdrawn_at?: string
        }
        Update: {
          audience?: string
          id?: string
          reason?: string | null
          title?: string | null
          withdrawn_at?: string
        }
        Relationships: []
      }
    }
    Views: {
      public_profiles: {
        Row: {
          avatar_url: string | null
          full_name: string | null
          id: string | null
          profession: string | null
          registration_checked_on: string | null
          registration_level: string | null
          registration_register: string | null
          username: string | null
          workplace: string | null
        }
        Insert: {
          avatar_url?: string | null
          full_name?: string | null
          id?: string | null
          profession?: string | null
          registration_checked_on?: string | null
          registration_level?: string | null
          registration_register?: string | null
          username?: string | null
          workplace?: string | null
        }
        Update: {
          avatar_url?: string | null
          full_name?: string | null
          id?: string | null
          profession?: string | null
          registration_checked_on?: string | null
          registration_level?: string | null
          registration_register?: string | null
          username?: string | null
          workplace?: string | null
        }
        Relationships: []
      }
      review_queue: {
        Row: {
          at_risk: boolean | null
          claimed_at: string | null
          claimed_by: string | null
          due_at: string | null
          id: string | null
          kind: string | null
          notes: number | null
          picture: string | null
          reason: string | null
          sender: string | null
          submitted_at: string | null
          tells_of_harm: boolean | null
          title: string | null
          user_id: string | null
        }
        Relationships: [
          {
            foreignKeyName: "review_claims_moderator_id_fkey"
            columns: ["claimed_by"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "review_claims_moderator_id_fkey"
            columns: ["claimed_by"]
            isOneToOne: false
            referencedRelation: "public_profiles"
            referencedColumns: ["id"]
          },
        ]
      }
    }
    Functions: {
      answer_use_question: {
        Args: {
          answer: string
          question: string
          reason?: string
          token?: string
        }
        Returns: undefined
      }
      browse_forum: {
        Args: {
          category?: string
          cursor?: string
          page_size?: number
          search?: string
        }
        Returns: Json
      }
      browse_solutions: {
        Args: {
          cursor?: string
          filters?: string[]
          match?: string
          page_size?: number
          search?: string
          sort?: string
        }
        Returns: Json
      }
      cancel_email_change: {
        Args: Record<PropertyKey, never>
        Returns: boolean
      }
      claim_mail: { Args: Record<PropertyKey, never>; Returns: Json }
      claim_media_job: {
        Args: Record<PropertyKey, never>
        Returns: {
          attempts: number
          claimed_at: string | null
          created_at: string
          due_at: string
          id: number
          last_error: string | null
          object_names: string[]
          solution_id: string | null
        }[]
        SetofOptions: {
          from: "*"
          to: "media_jobs"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      claim_review: { Args: { item: string; kind: string }; Returns: Json }
      collection_page: { Args: { collection: string }; Returns: Json }
      comment_replies: {
        Args: { cursor?: string; page_size?: number; thread: string }
        Returns: Json
      }
      comment_thread: { Args: { comment: string }; Returns: Json }
      comment_threads: {
        Args: {
          cursor?: string
          page_size?: number
          solution: string
          sort?: string
        }
        Returns: Json
      }
      conversations: {
        Args: { cursor?: string; page_size?: number }
        Returns: Json
      }
      count_download: { Args: { file: string }; Returns: undefined }
      count_solutions_with: {
        Args: { maker: string; part_number: string }
        Returns: number
      }
      cpd_outline: { Args: { since?: string; until?: string }; Returns: Json }
      cpd_suggestions: { Args: Record<PropertyKey, never>; Returns: Json }
      cpd_years: { Args: Record<PropertyKey, never>; Returns: Json }
      decide_held_post: {
        Args: { post: string; publish: boolean; version: number }
        Returns: undefined
      }
      decide_images: {
        Args: { hidden_at?: string; keep: boolean; post: string }
        Returns: undefined
      }
      delete_account: { Args: { shared: string }; Returns: undefined }
      evidence: {
        Args: {
          level?: string
          max_points?: number
          measure?: string
          type?: string
        }
        Returns: Json
      }
      expire_incoming_uploads: {
        Args: Record<PropertyKey, never>
        Returns: undefined
      }
      expire_retained_records: {
        Args: Record<PropertyKey, never>
        Returns: undefined
      }
      expire_uploads: { Args: Record<PropertyKey, never>; Returns: undefined }
      export_account: { Args: Record<PropertyKey, never>; Returns: Json }
      family_tree: {
        Args: { solution: string }
        Returns: {
          kind: string
          parent_id: string
          safety_kind: string
          solution_id: string
          title: string
        }[]
      }
      featured_solutions: { Args: { max_results?: number }; Returns: Json }
      field_pack_state: { Args: { at: string }; Returns: string }
      files_of_solution: {
        Args: { solution: string }
        Returns: {
          is_public: boolean
          url: string
        }[]
      }
      following_news: { Args: { since: string; until?: string }; Returns: Json }
      forum_replies: {
        Args: {
          cursor?: string
          page_size?: number
          post?: string
          topic: string
        }
        Returns: Json
      }
      forum_topic: { Args: { topic: string }; Returns: Json }
      hide_reported_media: { Args: { report: string }; Returns: undefined }
      identifiers_found: { Args: { solution: string }; Returns: string[] }
      images_of_post: { Args: { post: string }; Returns: Json }
      increment_topic_views: { Args: { topic: string }; Returns: undefined }
      invite_member: { Args: { email: string }; Returns: undefined }
      mail_due: {
        Args: Record<PropertyKey, never>
        Returns: Record<string, unknown>
      }
      mail_failed: {
        Args: { ids: number[]; reason: string; refused_address?: string }
        Returns: boolean
      }
      mail_sent: { Args: { ids: number[] }; Returns: undefined }
      mark_answer: {
        Args: { post?: string; topic: string }
        Returns: undefined
      }
      marked_solutions: {
        Args: { marks: string[] }
        Returns: {
          id: string
          mark: string
          title: string
        }[]
      }
      media_job_failed: {
        Args: { attempt: number; job: number; reason: string }
        Returns: boolean
      }
      media_jobs_given_up: { Args: Record<PropertyKey, never>; Returns: number }
      member_account: { Args: { member: string }; Returns: Json }
      member_home: { Args: Record<PropertyKey, never>; Returns: Json }
      member_id: { Args: { username: string }; Returns: string }
      move_files: {
        Args: { attempt: number; job: number; places: Json; solution: string }
        Returns: undefined
      }
      name_refusals: {
        Args: { full_name: string; username: string }
        Returns: Record<string, unknown>
      }
      own_collections: { Args: Record<PropertyKey, never>; Returns: Json }
      own_sessions: {
        Args: Record<PropertyKey, never>
        Returns: {
          created_at: string
          id: string
          is_current: boolean
          refreshed_at: string
          user_agent: string
        }[]
      }
      part_notices_of: {
        Args: { solution: string }
        Returns: {
          content: string
          created_at: string
          id: string
          kind: string
          language: string
          maker: string
          part_number: string
        }[]
      }
      participation_refusal: {
        Args: { member: string }
        Returns: {
          code: string
          message: string
        }[]
      }
      pending_invitations: {
        Args: { after?: string }
        Returns: {
          email: string
          lapses_at: string
        }[]
      }
      queue_metrics: { Args: Record<PropertyKey, never>; Returns: Json }
      read_reported_message: { Args: { report: string }; Returns: Json }
      record_uptime: { Args: Record<PropertyKey, never>; Returns: undefined }
      registration_warnings: {
        Args: { registration: string }
        Returns: string[]
      }
      related_solutions: {
        Args: { max_results?: number; solution: string }
        Returns: {
          age_group: string
          amputation_level: string
          approved_at: string | null
          audience: string
          author_names: string
          challenges_overcome: string | null
          change_note: string | null
          checklist: Json | null
          cost_range: string
          created_at: string
          custom_tags: string[]
          description: string
          durability_testing: string | null
          extra_facets: string[]
          facets: string[]
          id: string
          language: string
          licence: string | null
          likes_count: number
          materials: string[]
          number: number
          occupation: string
          patient_outcomes: string | null
          prosthesis_type: string
          rejection_reason: string | null
          removes_details: boolean
          revises: string | null
          safety_kind: string | null
          search_text: string
          status: string
          submission_digest: string | null
          submission_id: string | null
          submitted_at: string
          thumbnail_url: string | null
          title: string
          translated_texts: string
          tried_count: number
          updated_at: string
          user_id: string | null
          version: number
          withheld_files: number
          withheld_media: number
        }[]
        SetofOptions: {
          from: "*"
          to: "solutions"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      removal_request_state: { Args: { tracking: string }; Returns: Json }
      remove_second_step: { Args: { member: string }; Returns: undefined }
      renew_media_job: {
        Args: { attempt: number; job: number }
        Returns: undefined
      }
      reported_title: {
        Args: { report: Database["public"]["Tables"]["content_reports"]["Row"] }
        Returns: string
      }
      request_removal: {
        Args: {
          asker: string
          email?: string
          pictures?: string[]
          reason?: string
          solution: string
          tracking: string
        }
        Returns: undefined
      }
      required_audience: { Args: { solution: string }; Returns: string }
      resubmit_solution: {
        Args: {
          consent: string
          consent_version: string
          id: string
          media: Json
          solution: Json
          thumbnail_url?: string
        }
        Returns: string
      }
      retry_media_jobs: { Args: Record<PropertyKey, never>; Returns: undefined }
      review_history: {
        Args: { solution: string }
        Returns: {
          checklist: Json
          created_at: string
          decision: string
          id: number
          reason: string
          replaced: Json
          reviewer: string
        }[]
      }
      review_outcome: { Args: { item: string }; Returns: Json }
      review_summary: { Args: Record<PropertyKey, never>; Returns: Json }
      search_members: {
        Args: { max_results?: number; search: string }
        Returns: Json
      }
      set_account_disabled: {
        Args: { disabled: boolean; member: string }
        Returns: undefined
      }
      show_orcid: { Args: { shown: boolean }; Returns: string }
      site_activity: { Args: Record<PropertyKey, never>; Returns: Json }
      site_counts: { Args: Record<PropertyKey, never>; Returns: Json }
      sitemap_page: { Args: { kind: string; page: number }; Returns: Json }
      sitemap_sizes: { Args: Record<PropertyKey, never>; Returns: Json }
      solution_limit_refusal: {
        Args: Record<PropertyKey, never>
        Returns: string
      }
      still_reads: {
        Args: {
          file?: string
          reader?: string
          solution: string
          version: number
        }
        Returns: boolean
      }
      stop_sharing: {
        Args: { collection: string; reason: string }
        Returns: undefined
      }
      stored_bytes: { Args: { member: string }; Returns: number }
      submit_solution: {
        Args: {
          consent: string
          consent_version: string
          media: Json
          solution: Json
          submission_id?: string
          thumbnail_url?: string
        }
        Returns: string
      }
      submit_translation: {
        Args: {
          language: string
          solution: string
          texts: Json
          version: number
        }
        Returns: string
      }
      submit_trial: {
        Args: {
          consent?: string
          consent_version?: string
          media: Json
          report: Json
          solution: string
          submission_id?: string
          version: number
        }
        Returns: string
      }
      suggest_searches: {
        Args: { max_results?: number; search: string }
        Returns: Json
      }
      summarise_topic: {
        Args: { content?: string; language?: string; topic: string }
        Returns: undefined
      }
      translation_identifiers_found: {
        Args: { translation: string }
        Returns: string[]
      }
      trial_consent: { Args: { trial: string }; Returns: Json }
      trial_identifiers_found: { Args: { trial: string }; Returns: string[] }
      unnamed_files: {
        Args: { attempt: number; job: number }
        Returns: string[]
      }
      unsubscribe_from_mail: { Args: { token: string }; Returns: boolean }
      uptime: { Args: Record<PropertyKey, never>; Returns: Json }
      use_question: { Args: { token: string }; Returns: Json }
      use_sums: { Args: { solution?: string }; Returns: Json }
      usual_review_hours: { Args: Record<PropertyKey, never>; Returns: number }
      weekly_digest: {
        Args: { member: string; since: string; until: string }
        Returns: Json
      }
      withdraw_invitation: { Args: { email: string }; Returns: undefined }
      withdraw_solution: {
        Args: { reason?: string; solution: string }
        Returns: undefined
      }
    }
    Enums: {
      [_ in never]: never
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
}

type DatabaseWithoutInternals = Omit<Database, "__InternalSupabase">

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] &
        DefaultSchema["Views"])
    ? (DefaultSchema["Tables"] &
        DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R
      }
      ? R
      : never
    : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I
      }
      ? I
      : never
    : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U
      }
      ? U
      : never
    : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends (DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never) = never,
> = DefaultSchemaEnumNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
    ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
    : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends (PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never) = never,
> = PublicCompositeTypeNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
    ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
    : never

export const Constants = {
  public: {
    Enums: {},
  },
} as const
